export { CommandsSection } from './CommandsSection.tsx';
