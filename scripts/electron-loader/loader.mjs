/**
 * Stands in for Electron's own `default_app.asar` in the development runtime: opens the application folder named by the
 * first argument that is no flag. A module, because Electron holds back `ready` until its entry module has finished.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const folder = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (folder === undefined) {
  process.stderr.write('Usage: electron [flags] path/to/application\n');
  app.exit(1);
} else {
  const root = path.resolve(folder);
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  // Electron's own default application uses these two as well; they are not in its declarations.
  const application = /** @type {typeof app & Record<'setAppPath' | 'setVersion', (value: string) => void>} */ (app);
  application.setAppPath(root);
  application.setName(manifest.productName ?? manifest.name);
  application.setVersion(manifest.version);
  await import(pathToFileURL(path.join(root, manifest.main)).href);
}
