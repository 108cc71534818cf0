import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { widthOf } from '../../money.tsx';
import type { Column } from './column.ts';

/** How the columns of a table share its width. */
interface Fit {
  /** The widths of the columns with amounts, in rem. */
  widths: Map<string, number>;
  /** Whether amounts are broken after their currency. */
  isBroken: boolean;
  /** The size of the amounts' letters; 1 is that of the other text. */
  size: number;
  /** Whether there is no room for the columns that only wide screens show. */
  isCrowded: boolean;
}

interface Kind {
  isFixed: boolean;
  hasTicks: boolean;
}

interface Room {
  widthRem: number;
  isWide: boolean;
}

/** In rem: of the text, of what is between two columns, and of the ticks. */
const text = 0.875;
const gap = 1.25;
const ticks = 2.25;
/** In rem, what a column needs that does not say it. Without fixed widths it takes the room of its longest word. */
const least = { fixed: 5, free: 6.5 };

/** Smaller letters are used only when columns have been left out, and the smallest only when nothing else helps. */
const sizes = [1, 0.95, 0.9, 0.85];
const smallSizes = [...sizes, 0.8, 0.75, 0.7];

const whole: Fit = { widths: new Map(), isBroken: false, size: 1, isCrowded: false };

/**
 * Columns of amounts are as wide as their longest amount, in tabular figures. Amounts in some currencies are long. If
 * they do not fit beside the other columns, they are broken after the currency, then set in smaller letters.
 */
export function useFitColumns<Row>(
  table: RefObject<HTMLElement | null>,
  columns: Column<Row>[],
  rows: Row[],
  { isFixed, hasTicks }: Kind,
): Fit {
  const [room, setRoom] = useState<Room | null>(null);
  const hasAmounts = columns.some(({ amounts }) => amounts);
  useLayoutEffect(() => {
    // Not the table, which a long amount could make wider than its place.
    const place = table.current?.parentElement;
    if (!place || !hasAmounts) return;
    const measure = () => {
      const widthRem = place.clientWidth / 16 + 1;
      const isWide = window.innerWidth >= 1280;
      setRoom((last) =>
        last?.widthRem === widthRem && last.isWide === isWide ? last : { widthRem, isWide },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    return () => observer.disconnect();
  }, [table, hasAmounts]);
  return useMemo(
    () => (hasAmounts ? fitColumns(columns, rows, room, { isFixed, hasTicks }) : whole),
    [hasAmounts, columns, rows, room, isFixed, hasTicks],
  );
}

function fitColumns<Row>(
  columns: Column<Row>[],
  rows: Row[],
  room: Room | null,
  { isFixed, hasTicks }: Kind,
): Fit {
  const measured = columns.map((column) => {
    const amounts = column.amounts?.(rows) ?? [];
    return { column, line: widest(amounts), part: widest(amounts.flatMap((amount) => amount.split(' '))) };
  });
  const fitted = (isBroken: boolean, size: number, isCrowded: boolean): Fit & { sum: number } => {
    const widths = new Map<string, number>();
    let sum = hasTicks ? ticks : 0;
    for (const { column, line, part } of measured) {
      const { name, amounts, isExtra } = column;
      const width = isFixed ? (column.width ?? least.fixed) : (column.least ?? (amounts ? 0 : least.free));
      const needed = amounts ? Math.max(width, (isBroken ? part : line) * text * size + gap) : width;
      if (amounts) widths.set(name, needed);
      if (!isExtra || (room?.isWide && (amounts || !isCrowded))) sum += needed;
    }
    return { widths, isBroken, size, isCrowded, sum };
  };
  let last = fitted(false, 1, false);
  if (!room) return last;
  for (const [isCrowded, broken] of [
    [false, sizes],
    [true, smallSizes],
  ] as const)
    for (const [isBroken, size] of [[false, 1], ...broken.map((each) => [true, each] as const)] as const) {
      last = fitted(isBroken, size, isCrowded);
      if (last.sum <= room.widthRem) return last;
    }
  return last;
}

const widest = (texts: string[]): number => Math.max(0, ...texts.map(widthOf));
