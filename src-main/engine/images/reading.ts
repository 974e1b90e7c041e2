/** Reads of untrusted bytes: past the end there is nothing, and no read throws. */

/** The byte at `at`, or -1 past the end. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? -1;
}

/** Unsigned, big-endian; the caller has checked that the bytes are there. */
export function uint32(bytes: Uint8Array, at: number): number {
  return byteAt(bytes, at) * 0x1000000 + (byteAt(bytes, at + 1) << 16) + uint16(bytes, at + 2);
}

export function uint16(bytes: Uint8Array, at: number): number {
  return (byteAt(bytes, at) << 8) + byteAt(bytes, at + 1);
}

/** Unsigned, little-endian; the caller has checked that the bytes are there. */
export function uint32Little(bytes: Uint8Array, at: number): number {
  return byteAt(bytes, at + 3) * 0x1000000 + uint24Little(bytes, at);
}

export function uint24Little(bytes: Uint8Array, at: number): number {
  return (byteAt(bytes, at + 2) << 16) + uint16Little(bytes, at);
}

export function uint16Little(bytes: Uint8Array, at: number): number {
  return (byteAt(bytes, at + 1) << 8) + byteAt(bytes, at);
}

/** The bytes from `at` as Latin-1 text, shorter at the end of the file. */
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  let text = '';
  for (let index = at; index < at + length && index < bytes.length; index++) {
    text += String.fromCharCode(byteAt(bytes, index));
  }
  return text;
}

export function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((value, index) => bytes[index] === value);
}
