// What the page says about the robot's table.
import { other } from '../rules';
import type { Table } from './types';

const NAMES: Record<string, string> = {
  eezybot: 'EEZYbotARM',
  roboarm: 'RoboArm',
  panda: 'Franka Panda',
};

export const robotName = (robot: string): string => NAMES[robot] ?? robot;

export const isMine = (table: Table): boolean => table.place === 0;

/// Whether a disc of ours may be dropped; `sent` is the ply of a move that is on its way.
export function mayDrop(table: Table, sent: number | null): boolean {
  return isMine(table) && table.request === 'play' && sent !== table.moves.length;
}

/// What happens at the table, in a sentence.
export function happening(table: Table, sent: number | null = null): string {
  const mine = isMine(table);
  switch (table.state) {
    case 'broken':
      return `The table is out of order: ${table.message}`;
    case 'stopped':
      return 'Stopped by the operator';
    case 'preparing':
      return 'The arm goes to its place';
    case 'clearing':
      return 'The board is being emptied for a new game';
    case 'waiting':
      if (mine) return sent === table.moves.length ? 'Your disc falls' : 'Your move: drop a disc';
      return table.visitor ? 'The visitor is to move' : 'The table is free';
    case 'thinking':
      return 'The robot is thinking';
    case 'moving':
      return table.target ? `The robot plays column ${table.target}` : 'The robot moves';
    case 'verifying':
      return 'The robot looks where its disc fell';
    case 'over':
      return ending(table);
    case 'foul':
    case 'blind':
    case 'asking':
    case 'needs_help':
      return table.message;
  }
}

export function ending(table: Table): string {
  if (table.result === null) return table.message;
  if (table.result === 'draw') return 'A draw: the board is full';
  if (table.result === other(table.human)) return 'The robot wins';
  return isMine(table) ? 'You win' : 'The visitor wins';
}

/// Where we stand; empty for those who only watch.
export function standing(table: Table): string {
  if (table.place === null) return '';
  if (table.place === 0) {
    const left = table.seconds_left;
    return left !== null && left <= 20
      ? `You are at the table. ${left} s left for your move.`
      : 'You are at the table.';
  }
  return table.place === 1 ? 'You are next.' : `You are number ${table.place} in the queue.`;
}

export function company(table: Table): string {
  const queue =
    table.waiting === 0
      ? 'Nobody waits'
      : table.waiting === 1
        ? 'One waits'
        : `${table.waiting} wait`;
  const watch = table.watchers === 1 ? 'one screen watches' : `${table.watchers} screens watch`;
  return `${queue}, ${watch}.`;
}

/// Why we are no longer in the queue, as far as one can tell from the table before and now.
export function farewell(before: Table): string {
  if (before.place === 0 && (before.state === 'over' || before.result !== null)) {
    return 'Thank you for playing. The next visitor is at the table.';
  }
  return 'Your place was given to the next: nothing was heard of you for too long.';
}
