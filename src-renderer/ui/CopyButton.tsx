import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './Button.tsx';

/** Copies something, and says so until the pointer or the focus leaves it. */
export function CopyButton({
  label,
  onCopy,
  className,
}: {
  label: string;
  /** Resolves to whether it was copied. */
  onCopy: () => Promise<boolean>;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  const forget = () => setCopied(false);
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={14} /> : <Copy size={14} />}
      className={className}
      onClick={async () => setCopied(await onCopy())}
      onBlur={forget}
      onPointerLeave={forget}
    />
  );
}
