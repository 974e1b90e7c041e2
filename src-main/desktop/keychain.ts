import { app, safeStorage } from 'electron';
import type { Keychain } from './secrets.ts';

/** Linux backends of Electron's safeStorage that keep their key in a keychain; `basic_text` is a password in its source. */
const KEYCHAINS = /^(gnome_libsecret|kwallet\d*)$/;
const NONE = 'There is no keychain here (GNOME Keyring or KWallet): secrets are forgotten when Parley ends.';
const CLOSED = 'The system’s keychain does not answer: secrets are forgotten when Parley ends.';

/** The operating system's keychain, by Electron. It can be asked once Electron is ready; until then answers wait. */
export function systemKeychain(): Keychain {
  let fault: Promise<string | null> | null = null;
  // Newer Electrons can be asked without blocking the window; the development runtime (33) cannot.
  const isAsync = Reflect.has(safeStorage, 'encryptStringAsync');
  return {
    fault() {
      fault ??= app.whenReady().then(async () => {
        if (process.platform === 'linux' && !KEYCHAINS.test(safeStorage.getSelectedStorageBackend())) return NONE;
        const isAvailable = isAsync
          ? await safeStorage.isAsyncEncryptionAvailable()
          : safeStorage.isEncryptionAvailable();
        return isAvailable ? null : CLOSED;
      });
      return fault;
    },
    async seal(text) {
      return isAsync ? safeStorage.encryptStringAsync(text) : safeStorage.encryptString(text);
    },
    async open(sealed) {
      return isAsync ? (await safeStorage.decryptStringAsync(sealed)).result : safeStorage.decryptString(sealed);
    },
  };
}
