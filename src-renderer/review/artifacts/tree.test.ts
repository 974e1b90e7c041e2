import { describe, expect, it } from 'vitest';
import { hexRow } from './hex.ts';
import { type TreeNode, treeMove } from './tree.ts';

const nodes: TreeNode[] = [
  { id: 'run 2', level: 1, isOpen: true },
  { id: 'a', level: 2, isOpen: false },
  { id: 'b', level: 2, isOpen: false },
  { id: 'run 1', level: 1, isOpen: false },
];
const move = (current: string, key: string) => treeMove(nodes, current, key);

describe('treeMove', () => {
  it('goes up and down through what is visible, and stays within it', () => {
    expect(move('run 2', 'ArrowDown')).toEqual({ kind: 'focus', id: 'a' });
    expect(move('run 1', 'ArrowUp')).toEqual({ kind: 'focus', id: 'b' });
    expect(move('run 2', 'ArrowUp')).toBeNull();
    expect(move('run 1', 'ArrowDown')).toBeNull();
    expect(move('a', 'End')).toEqual({ kind: 'focus', id: 'run 1' });
    expect(move('b', 'Home')).toEqual({ kind: 'focus', id: 'run 2' });
  });

  it('opens and goes in to the right, goes out and closes to the left', () => {
    expect(move('run 1', 'ArrowRight')).toEqual({ kind: 'open', id: 'run 1' });
    expect(move('run 2', 'ArrowRight')).toEqual({ kind: 'focus', id: 'a' });
    expect(move('a', 'ArrowRight')).toBeNull();
    expect(move('b', 'ArrowLeft')).toEqual({ kind: 'focus', id: 'run 2' });
    expect(move('run 2', 'ArrowLeft')).toEqual({ kind: 'close', id: 'run 2' });
    expect(move('run 1', 'ArrowLeft')).toBeNull();
  });

  it('chooses a file and turns a run with Enter and Space', () => {
    expect(move('a', 'Enter')).toEqual({ kind: 'choose', id: 'a' });
    expect(move('run 2', ' ')).toEqual({ kind: 'close', id: 'run 2' });
    expect(move('run 1', 'Enter')).toEqual({ kind: 'open', id: 'run 1' });
  });

  it('leaves other keys, and a node that is gone, alone', () => {
    expect(move('a', 'x')).toBeNull();
    expect(move('gone', 'ArrowDown')).toBeNull();
  });
});

describe('hexRow', () => {
  it('shows the offset, the bytes and the printable ones among them', () => {
    expect(hexRow(16, Uint8Array.of(0x50, 0x4e, 0x47, 0x0a))).toBe(
      `00000010  50 4e 47 0a${' '.repeat(3 * 12 + 1)}  PNG.`,
    );
  });
});
