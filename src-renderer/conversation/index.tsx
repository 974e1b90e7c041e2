export { Conversation } from './Conversation.tsx';
export { UNTITLED } from './Header.tsx';
export { ImageDialog } from './ImageDialog.tsx';
export { SEAT_POSITION_ATTRIBUTE } from './SeatStrip.tsx';
export { IME_KEY_CODE } from './sendKey.ts';
