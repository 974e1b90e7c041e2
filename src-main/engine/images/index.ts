export { checkImage, type Inspection, inspectImage, type OfferedImage } from './check.ts';
export { IMAGE_WORDS } from './kind.ts';
