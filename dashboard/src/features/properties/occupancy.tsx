/** How much of a property is occupied, as a bar and in figures. */
export function Occupancy({ occupied, units }: { occupied: number; units: number }) {
  if (units === 0) return <span className="text-faint">No units</span>;
  return (
    <span className="inline-flex items-center justify-end gap-2.5">
      <Bar share={occupied / units} />
      <span className="min-w-12 whitespace-nowrap">
        {occupied.toLocaleString()}
        <span className="text-soft"> / {units.toLocaleString()}</span>
      </span>
    </span>
  );
}

export function Bar({ share, className = 'w-16' }: { share: number; className?: string }) {
  return (
    <span aria-hidden="true" className={`block h-1.5 overflow-hidden rounded-full bg-line ${className}`}>
      <span
        className="block h-full rounded-full bg-accent"
        style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }}
      />
    </span>
  );
}
