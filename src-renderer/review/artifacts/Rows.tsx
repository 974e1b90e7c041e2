import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { type Geometry, type Place, placeOf, scrolledTo, scrollHeight } from './scroll.ts';

/** Rows above and below the box that are drawn, too. */
const MARGIN_ROWS = 8;
/** Below one pixel a scroll event only confirms what was set. */
const SAME_PX = 1;

export interface RowsHandle {
  /** Brings a row into the middle of the box. */
  show(row: number): void;
}

/** Any number of rows of one height, of which only those near the view are in the page. */
export function Rows({
  ref,
  label,
  count,
  rowHeight,
  children,
  onShown,
}: {
  ref?: Ref<RowsHandle>;
  label: string;
  count: number;
  /** CSS pixels. */
  rowHeight: number;
  children: (index: number) => ReactNode;
  /** Called after the rows were drawn. */
  onShown?: () => void;
}) {
  const box = useRef<HTMLElement>(null);
  const [viewport, setViewport] = useState(0);
  const [place, setPlace] = useState<Place>({ row: 0, scrollTop: 0 });
  const geometry: Geometry = { rows: count, rowHeight, viewport };
  const first = Math.max(0, Math.floor(place.row) - MARGIN_ROWS);
  const last = Math.min(count, Math.ceil(place.row + viewport / rowHeight) + MARGIN_ROWS);

  function moveTo(next: Place): void {
    setPlace(next);
    const element = box.current;
    if (element !== null && Math.abs(element.scrollTop - next.scrollTop) >= SAME_PX) element.scrollTop = next.scrollTop;
  }

  useImperativeHandle(ref, () => ({
    show: (row) => moveTo(placeOf(row - viewport / rowHeight / 2, geometry)),
  }));

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setViewport(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => onShown?.());

  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        if (Math.abs(scrollTop - place.scrollTop) >= SAME_PX) moveTo(scrolledTo(scrollTop, place, geometry));
      }}
      className="min-h-0 flex-1 overflow-auto bg-code outline-offset-[-2px] [overflow-anchor:none]"
    >
      <div className="relative w-max min-w-full" style={{ height: scrollHeight(geometry) }}>
        <div
          className="w-max min-w-full"
          style={{ transform: `translateY(${place.scrollTop + (first - place.row) * rowHeight}px)` }}
        >
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => children(first + offset))}
        </div>
      </div>
    </section>
  );
}
