export { type ModelConnection, openModel } from './connection.ts';
