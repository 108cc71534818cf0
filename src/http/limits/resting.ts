import type { Socket } from 'node:net';

interface Rest {
  socket: Socket;
  timer: NodeJS.Timeout;
  isOver: boolean;
}

/**
 * Connections that are not listened to for a while: what they ask meanwhile waits in the kernel, and costs nothing.
 *
 * Node reads on by itself after an answer, to get past the request's body, and has begun to do so within two ticks. A turn
 * of the event loop ends only when nobody has anything to say, so pausing them no sooner than that would let some thousand
 * callers who ask again at once make one turn last for many seconds. A body that is still coming is paused at the turn's end.
 */
export class Resting {
  /** In the order in which they came. Those between the first and the last may be over. */
  readonly #all: Rest[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(socket: Socket, ms: number): void {
    const rest: Rest = { socket, timer: setTimeout(() => this.#end(rest), ms).unref(), isOver: false };
    this.#all.push(rest);
    this.#size++;
    const pause = () => {
      if (!rest.isOver) socket.pause();
    };
    afterTicks(3, pause);
    setImmediate(pause);
  }

  /** Those who came last are listened to again: they are the likeliest to be there still. */
  wake(most: number): void {
    for (let woken = 0; woken < most && this.#size > 0; woken++) this.#end(this.#all.at(-1) as Rest);
  }

  #end(rest: Rest): void {
    rest.isOver = true;
    this.#size--;
    clearTimeout(rest.timer);
    rest.socket.resume();
    while (this.#all.at(-1)?.isOver) this.#all.pop();
    while (this.#all[0]?.isOver) this.#all.shift();
  }
}

function afterTicks(ticks: number, work: () => void): void {
  if (ticks === 0) work();
  else process.nextTick(afterTicks, ticks - 1, work);
}
