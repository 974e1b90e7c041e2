/** One line of the tree: a run, or a file of the run above it. */
export interface TreeNode {
  readonly id: string;
  readonly level: 1 | 2;
  /** Only of a run. */
  readonly isOpen: boolean;
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly id: string }
  | { readonly kind: 'open'; readonly id: string }
  | { readonly kind: 'close'; readonly id: string }
  | { readonly kind: 'choose'; readonly id: string };

/** What a key does in a tree, after the ARIA pattern; `null` when it does nothing. */
export function treeMove(nodes: readonly TreeNode[], current: string, key: string): TreeMove | null {
  const at = nodes.findIndex((node) => node.id === current);
  const node = nodes[at];
  if (node === undefined) return null;
  const focus = (target: TreeNode | undefined): TreeMove | null =>
    target === undefined || target.id === current ? null : { kind: 'focus', id: target.id };
  switch (key) {
    case 'ArrowDown':
      return focus(nodes[at + 1]);
    case 'ArrowUp':
      return focus(nodes[at - 1]);
    case 'Home':
      return focus(nodes[0]);
    case 'End':
      return focus(nodes.at(-1));
    case 'ArrowRight':
      if (node.level === 2) return null;
      if (!node.isOpen) return { kind: 'open', id: node.id };
      return nodes[at + 1]?.level === 2 ? focus(nodes[at + 1]) : null;
    case 'ArrowLeft':
      if (node.level === 2) return focus(nodes.slice(0, at).findLast((candidate) => candidate.level === 1));
      return node.isOpen ? { kind: 'close', id: node.id } : null;
    case 'Enter':
    case ' ':
      if (node.level === 2) return { kind: 'choose', id: node.id };
      return { kind: node.isOpen ? 'close' : 'open', id: node.id };
    default:
      return null;
  }
}
