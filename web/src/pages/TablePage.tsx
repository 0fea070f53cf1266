// The robot's table: one visitor plays, the others watch and queue.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../api';
import { Board } from '../components/Board';
import { Chip } from '../components/Disc';
import { OperatorPanel } from '../components/OperatorPanel';
import { CameraPicture, TableScene } from '../components/TableScene';
import { positionAfter } from '../rules';
import { type Memory, TableSession, type TableState } from '../table/session';
import type { Poses, Table } from '../table/types';
import { company, happening, mayDrop, robotName, standing } from '../table/words';
import '../styles/table.css';

const KEY = 'rowbot-table';
const memory: Memory = {
  get: () => {
    try {
      return sessionStorage.getItem(KEY);
    } catch {
      return null; // storage is forbidden here: a reload loses the seat
    }
  },
  set: (token) => {
    try {
      if (token) sessionStorage.setItem(KEY, token);
      else sessionStorage.removeItem(KEY);
    } catch {
      // As above.
    }
  },
};

export function TablePage() {
  const { session, state, listen } = useTable();
  const { table } = state;
  if (state.gone) {
    return (
      <article class="text">
        <h1>The robot’s table</h1>
        <p>
          There is no robot at this website. <a href="/">Play on the screen</a>
        </p>
      </article>
    );
  }
  const position = positionAfter(table?.moves ?? '') ?? positionAfter('')!;
  const said = table ? happening(table, state.sent) : 'Looking for the table';
  const mine = table !== null && mayDrop(table, state.sent);
  return (
    <div class="robot">
      <div class="table-view">
        <h1>The robot’s table</h1>
        <p class="said" role="status" aria-live="polite">
          {table?.turn && <Chip side={table.turn} />}
          <span>{said}</span>
        </p>
        {state.link === 'lost' && (
          <p class="trouble" role="alert">
            Connection lost; trying again.
          </p>
        )}
        {table && <TableScene table={table} listen={listen} />}
      </div>
      <aside class="panel" aria-label="Your place at the table">
        {table && <Seat table={table} state={state} session={session} />}
        <Board
          stacks={position.stacks}
          order={position.moves}
          winning={position.winning}
          drop={mine ? table.human : null}
          onDrop={(column) => void session.play(column)}
        />
      </aside>
      {table && (
        <section class="eye" aria-label="The robot’s eye">
          <figure>
            <CameraPicture number={table.camera} />
            <figcaption class="quiet">
              What the {robotName(table.robot)}’s camera saw last: the corners of the board, and in
              each cell the disc it recognised.
            </figcaption>
          </figure>
          <div class="about-table">
            <h2>What is going on here</h2>
            <p>
              The {robotName(table.robot)} plays at its own table, in a physics simulation unless
              this website stands beside a real one. Discs fall where gravity and friction let them:
              a move counts when the robot’s senses have seen it.
            </p>
            <p class="quiet">{company(table)}</p>
            <OperatorPanel
              stopped={table.state === 'stopped'}
              operate={(what, secret) => void session.operate(what, secret)}
            />
          </div>
        </section>
      )}
    </div>
  );
}

interface SeatProps {
  table: Table;
  state: TableState;
  session: TableSession;
}

function Seat({ table, state, session }: SeatProps) {
  return (
    <div class="seat">
      {state.notice && <p class="notice">{state.notice}</p>}
      {state.problem && (
        <p class="trouble" role="alert">
          {state.problem}
        </p>
      )}
      <div class="buttons">
        {table.place === null ? (
          <button
            type="button"
            class="primary"
            disabled={table.state === 'broken'}
            onClick={() => void session.join()}
          >
            {table.visitor ? 'Join the queue' : 'Play against the robot'}
          </button>
        ) : (
          <button type="button" onClick={() => void session.leave()}>
            {table.place === 0 ? 'Leave the table' : 'Leave the queue'}
          </button>
        )}
        <span class="standing">
          {standing(table) || (table.visitor ? 'Somebody is playing.' : 'You would play red.')}
        </span>
      </div>
    </div>
  );
}

function useTable() {
  const listeners = useRef(new Set<(poses: Poses) => void>());
  const last = useRef<Poses | null>(null);
  const [state, setState] = useState<TableState | null>(null);
  const session = useMemo(
    () =>
      new TableSession(api, memory, setState, (poses) => {
        last.current = poses;
        for (const listener of listeners.current) listener(poses);
      }),
    [],
  );
  useEffect(() => {
    session.open();
    const hurry = () => session.hurry();
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      session.close();
    };
  }, []);
  const listen = (listener: (poses: Poses) => void) => {
    listeners.current.add(listener);
    if (last.current) listener(last.current);
    return () => void listeners.current.delete(listener);
  };
  return { session, state: state ?? session.now, listen };
}
