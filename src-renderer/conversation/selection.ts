/** The selected text, when there is a selection that begins inside an element of that kind. */
export function selectedTextIn(selector: string): string | null {
  const selection = window.getSelection();
  const text = selection?.toString() ?? '';
  const anchor = selection?.anchorNode;
  const element = anchor instanceof Element ? anchor : anchor?.parentElement;
  return text.trim() !== '' && element?.closest(selector) != null ? text : null;
}
