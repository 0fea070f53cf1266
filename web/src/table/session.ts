// Our side of the robot's table: news from it, our place in the queue, our moves.
import { type Api, ApiError } from '../api';
import { type Link, Live, socketAt } from '../live';
import type { Poses, Table, TableNews } from './types';
import { farewell, mayDrop } from './words';

export interface TableState {
  table: Table | null;
  link: Link;
  problem: string | null;
  notice: string | null;
  sent: number | null; // ply of our move that is not yet in the record
  gone: boolean; // there is no robot at this website
}

/// Keeps the token through a reload; a new tab is a new visitor.
export interface Memory {
  get(): string | null;
  set(token: string | null): void;
}

export class TableSession {
  private state: TableState = {
    table: null,
    link: 'connecting',
    problem: null,
    notice: null,
    sent: null,
    gone: false,
  };
  private token: string | null;
  private live: Live<TableNews>;

  constructor(
    private readonly api: Pick<
      Api,
      'table' | 'tableJoin' | 'tablePlay' | 'tableLeave' | 'tableOperate'
    >,
    private readonly memory: Memory,
    private readonly onChange: (state: TableState) => void,
    private readonly onPoses: (poses: Poses) => void,
    private readonly openSocket: (path: string) => WebSocket = socketAt,
  ) {
    this.token = memory.get();
    this.live = this.listen();
  }

  get now(): TableState {
    return this.state;
  }

  open(): void {
    this.live.start();
  }

  close(): void {
    this.live.stop();
  }

  hurry(): void {
    this.live.hurry();
  }

  async join(): Promise<void> {
    await this.attempt(async () => {
      const { token, table } = await this.api.tableJoin();
      this.reconnectAs(token);
      this.update({ notice: null });
      this.accept(table);
    });
  }

  async leave(): Promise<void> {
    const token = this.token;
    if (!token) return;
    await this.attempt(async () => {
      const table = await this.api.tableLeave(token);
      this.reconnectAs(null);
      this.accept(table);
    });
  }

  async play(column: number): Promise<void> {
    const { table, sent } = this.state;
    if (!this.token || !table || !mayDrop(table, sent)) return;
    const ply = table.moves.length;
    this.update({ sent: ply });
    const done = await this.attempt(async () =>
      this.accept(await this.api.tablePlay(this.token!, column, ply)),
    );
    if (!done) this.update({ sent: null });
  }

  async operate(what: 'stop' | 'resume', secret: string): Promise<void> {
    await this.attempt(async () => void (await this.api.tableOperate(what, secret)));
  }

  private listen(): Live<TableNews> {
    const token = this.token;
    return new Live<TableNews>({
      type: 'table',
      onNews: ({ table, poses }) => {
        this.accept(table);
        if (poses) this.onPoses(poses);
      },
      onLink: (link) => link !== this.state.link && this.update({ link }),
      onGone: () => this.update({ gone: true }),
      ask: async () => ({ table: await this.api.table(token), poses: null }),
      openSocket: () => this.openSocket(token ? `/table/live?token=${token}` : '/table/live'),
    });
  }

  private reconnectAs(token: string | null): void {
    this.token = token;
    this.memory.set(token);
    this.live.stop();
    this.live = this.listen();
    this.live.start();
  }

  private accept(table: Table): void {
    const before = this.state.table;
    const { sent } = this.state;
    const change: Partial<TableState> = { table };
    const another = before !== null && before.game !== table.game;
    if (sent !== null && (another || table.moves.length !== sent)) change.sent = null;
    if (this.token && table.place === null) {
      // An old token of an earlier visit is forgotten without a word.
      if (before && before.place !== null) change.notice = farewell(before);
      this.token = null;
      this.memory.set(null);
    }
    this.update(change);
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      this.update({ problem: null });
      await work();
      return true;
    } catch (error) {
      this.update({ problem: error instanceof ApiError ? error.message : String(error) });
      return false;
    }
  }

  private update(change: Partial<TableState>): void {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}
