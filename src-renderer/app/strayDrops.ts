/**
 * A file or link that is dropped where nothing takes it would make the page go there. The conversation handles its own
 * drops first; whatever still arrives here does nothing. Text dragged into a text box is left to the browser.
 */
function refuse(event: DragEvent): void {
  if (event.defaultPrevented) return;
  const takesText = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  const types = event.dataTransfer?.types ?? [];
  if (takesText && !types.includes('Files')) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
}

export function refuseStrayDrops(): void {
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
