import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { first } from '../../api/queries.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { orToast } from '../../api/writes.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Segments, useFilters } from '../../ui/lists/filters.tsx';
import { PlaceName, TextLink } from '../../ui/lists/names.tsx';
import { useIsPhone } from '../../ui/media.ts';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus, unfinished } from '../../ui/words.ts';
import { MoveMenu, move } from './move-menu.tsx';
import { mayMove } from './moves.ts';
import { Priority } from './priority.tsx';

type State = MaintenanceRequest['status'];
const columns: State[] = ['open', 'scheduled', 'in_progress', 'on_hold', 'completed'];

/** Moves several requests at the same time, but each only once at a time. */
function useMoves() {
  const [moving, setMoving] = useState<string[]>([]);
  const start = async (request: MaintenanceRequest, status: State) => {
    setMoving((before) => [...before, request.id]);
    await orToast(() => move(request, status));
    setMoving((before) => before.filter((other) => other !== request.id));
  };
  return { moving, start };
}

/** The filters of the page. The column sets the status. */
type Filter = Record<string, string | undefined>;

/** Requests in columns by status; on a phone, one column at a time. They are moved by dragging or from a menu. */
export function Board({ filter }: { filter: Filter }) {
  const [dragged, setDragged] = useState<MaintenanceRequest | null>(null);
  const { moving, start } = useMoves();
  const { filters, control } = useFilters(['column']);
  const isPhone = useIsPhone();
  const chosen = columns.find((status) => status === filters.column) ?? 'open';
  return (
    <>
      {isPhone && <ColumnSwitch filter={filter} {...control('column')} value={chosen} />}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        {(isPhone ? [chosen] : columns).map((status) => (
          <Column
            key={status}
            status={status}
            filter={filter}
            moving={moving}
            isTarget={dragged !== null && mayMove(dragged.status, status)}
            onDrag={setDragged}
            onDrop={() => dragged && start(dragged, status)}
          />
        ))}
      </div>
      <p className="mt-6 text-soft">
        Cancelled requests are not on the board:{' '}
        <TextLink to="/maintenance" search={{ ...filter, status: 'cancelled' }}>
          show them in the list
        </TextLink>
        .
      </p>
    </>
  );
}

/** Which column a phone shows, with how many there are in the others. */
function ColumnSwitch(props: {
  filter: Filter;
  value: State;
  onChange: (status: string | undefined) => void;
}) {
  const { data = [] } = useQuery(together(props.filter));
  const labelOf = (status: State) => {
    const number = data.filter((request) => request.status === status).length;
    return `${maintenanceStatus[status].word}${number > 0 ? ` ${number < shown ? number : `${shown}+`}` : ''}`;
  };
  return (
    <div className="mb-3">
      <Segments
        label="Column"
        options={columns.map((value) => ({ value, label: labelOf(value) }))}
        value={props.value}
        onChange={props.onChange}
      />
    </div>
  );
}

const shown = 50;
/** Few accounts have more unfinished requests. */
const mostTogether = 500;

const newestOf = (status: State, filter: Filter) => first('maintenance', { ...filter, status }, shown);
/** The requests of all unfinished statuses. */
const together = (filter: Filter) =>
  first('maintenance', { ...filter, status: unfinished.join(',') }, mostTogether);

/** Whether the board is empty, judged by the queries of its columns. */
export function useIsBoardEmpty(filter: Filter, isShown: boolean): boolean {
  const queries = [
    useQuery({ ...together(filter), enabled: isShown }),
    useQuery({ ...newestOf('completed', filter), enabled: isShown }),
  ];
  return isShown && queries.every(({ data, isPlaceholderData }) => data?.length === 0 && !isPlaceholderData);
}

/**
 * The newest requests of a column. Unfinished statuses are requested together. If there are more than fit into one
 * answer, a column that is not full requests its own.
 */
function useColumn(status: State, filter: Filter) {
  const isDone = status === 'completed';
  const all = useQuery({ ...together(filter), enabled: !isDone });
  const own = all.data?.filter((request) => request.status === status).slice(0, shown);
  const isCut = (all.data?.length ?? 0) >= mostTogether && (own?.length ?? 0) < shown;
  const alone = useQuery({ ...newestOf(status, filter), enabled: isDone || isCut });
  return isDone || isCut ? alone : { ...all, data: own };
}

function Column({
  status,
  filter,
  moving,
  isTarget,
  onDrag,
  onDrop,
}: {
  status: State;
  filter: Filter;
  /** The ids of requests that are being moved. */
  moving: string[];
  isTarget: boolean;
  onDrag: (request: MaintenanceRequest | null) => void;
  onDrop: () => void;
}) {
  const query = useColumn(status, filter);
  const { data } = query;
  const [isOver, setOver] = useState(false);
  const { word, tone } = maintenanceStatus[status];
  const allow = (event: DragEvent) => {
    if (!isTarget) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-label={word}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={() => {
        setOver(false);
        onDrop();
      }}
      className={cx(
        '-m-1 min-h-32 rounded-lg p-1',
        isTarget && 'ring-1 ring-line-strong',
        isOver && 'ring-2 ring-accent',
      )}
    >
      <h2 className="mb-3 flex items-center max-md:sr-only justify-between border-b border-line-strong pb-2 font-medium">
        <Status of={{ word, tone }} />
        <span className="text-sm font-normal text-soft">
          {data && (data.length >= shown ? `${shown}+` : data.length)}
        </span>
      </h2>
      <Loaded query={query} waiting={<Skeleton count={3} className="p-2" />}>
        {(requests) => (
          <ul className="flex flex-col gap-2">
            {requests.map((request) => (
              <Card
                key={request.id}
                request={request}
                isMoving={moving.includes(request.id)}
                onDrag={onDrag}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {data && data.length >= shown && (
        <p className="pt-3">
          <TextLink to="/maintenance" search={{ ...filter, status }}>
            Show all in the list
          </TextLink>
        </p>
      )}
    </section>
  );
}

function Card({
  request,
  isMoving,
  onDrag,
}: {
  request: MaintenanceRequest;
  isMoving: boolean;
  onDrag: (request: MaintenanceRequest | null) => void;
}) {
  const canWrite = useCanWrite();
  return (
    <li
      draggable={canWrite && !isMoving}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', request.title);
        onDrag(request);
      }}
      onDragEnd={() => onDrag(null)}
      className={cx(
        'relative rounded-md border border-line bg-ground p-3 hover:border-line-strong',
        isMoving && 'opacity-60',
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <Link
          to={`/maintenance/${request.id}`}
          draggable={false}
          className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
        >
          <span className="font-normal text-faint">#{request.number}</span> {request.title}
        </Link>
        {canWrite && (
          <MoveMenu
            request={request}
            trigger={(isBusy) => (
              <IconButton
                label={`Move #${request.number}`}
                className="relative z-1 -mt-1.5 -mr-1.5"
                disabled={isBusy}
              >
                <Ellipsis />
              </IconButton>
            )}
          />
        )}
      </div>
      <div className="text-sm text-soft wrap-anywhere">
        <PlaceName of={request} />
      </div>
      {request.assigned_to && <div className="truncate text-sm text-soft">{request.assigned_to}</div>}
      <Priority of={request.priority} className="mt-2 text-sm" />
    </li>
  );
}
