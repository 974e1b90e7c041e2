import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { useNotices } from '../state/notices.ts';
import { classes, IconButton } from '../ui/index.ts';

const LOOKS = {
  info: { icon: Info, tone: 'text-accent' },
  warning: { icon: TriangleAlert, tone: 'text-warn' },
  failure: { icon: CircleAlert, tone: 'text-bad' },
} as const;

/** What belongs to no conversation, until the operator dismisses it. */
export function Notices() {
  const notices = useNotices((state) => state.notices);
  return (
    <section
      aria-label="Notices"
      className="pointer-events-none fixed bottom-14 left-3 z-30 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {notices.map(({ key, level, text, hint }) => {
        const { icon: Icon, tone } = LOOKS[level];
        return (
          <div
            key={key}
            role={level === 'failure' ? 'alert' : undefined}
            aria-live={level === 'failure' ? undefined : 'polite'}
            className="pointer-events-auto flex items-start gap-2 rounded-xl border border-line-strong bg-raised py-2 pr-1.5 pl-3 shadow-floating"
          >
            <Icon size={16} aria-hidden="true" className={classes('mt-0.5 shrink-0', tone)} />
            <div className="max-h-40 min-w-0 flex-1 overflow-y-auto text-sm wrap-anywhere">
              <p className="font-medium">{text}</p>
              {hint !== '' && <p className="text-ink-2">{hint}</p>}
            </div>
            <IconButton
              label="Dismiss the notice"
              icon={<X size={14} />}
              onClick={() => useNotices.getState().dismiss(key)}
              className="size-6"
            />
          </div>
        );
      })}
    </section>
  );
}
