/**
 * Cheap checks of what agents print. A schema library would look at every string of a stream of hundreds of megabytes;
 * these look at the few fields that are used, and are total: whatever the value is, there is an answer.
 */
export type Shape = Readonly<Record<string, unknown>>;

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text in a field; `null` when there is none. */
export function textAt(shape: Shape, field: string): string | null {
  const value = shape[field];
  return typeof value === 'string' ? value : null;
}

/** The object in a field; an empty one when there is none. */
export function shapeAt(shape: Shape, field: string): Shape {
  const value = shape[field];
  return isShape(value) ? value : {};
}

/** The objects in a list; what is not an object is left out. */
export function shapesAt(shape: Shape, field: string): Shape[] {
  const value = shape[field];
  return Array.isArray(value) ? value.filter(isShape) : [];
}

/** A whole number; `null` for everything else. */
export function integerAt(shape: Shape, field: string): number | null {
  const value = shape[field];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
