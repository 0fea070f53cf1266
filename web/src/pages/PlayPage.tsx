// Where people play. Without a token the board is set up for a new game: the first disc begins it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Board } from '../components/Board';
import { GamePanel } from '../components/GamePanel';
import { LobbyPanel } from '../components/LobbyPanel';
import { NotFound } from '../components/NotFound';
import { Status } from '../components/Status';
import { useKeptFocus } from '../focus';
import { useAnalysis, usePlay } from '../play';
import { positionAfter, type Side } from '../rules';
import { say } from '../say';
import { mayMove, presentGame, shownMoves } from '../session';
import { useSettings } from '../settings';
import type { Game } from '../types';
import { newsOf, SOLVING, verdictOf } from '../words';

export function PlayPage({ token }: { token: string | null }) {
  const play = usePlay(token);
  const wishes = useSettings();
  const [human, setHuman] = useState<'first' | 'second'>('first');
  const [lookingAt, setLookingAt] = useState<number | null>(null);
  useEffect(() => setLookingAt(null), [token]);

  const { state } = play;
  const game = token ? state.game : null;
  const now = game ? shownMoves(state) : play.opening === null ? '' : String(play.opening);
  const looking = lookingAt !== null && lookingAt < now.length;
  const shown = looking ? now.slice(0, lookingAt) : now;
  const position = positionAfter(shown) ?? positionAfter('')!;
  const hand: Side | null = looking ? null : game ? mayMove(state) : lobbyHand();
  const aided = !game || mayBeAided(game);
  const running = position.result === null && (looking || game?.turn !== null);
  const analysis = useAnalysis(shown, aided && running && (wishes.scores || wishes.hints));
  useNews(game);
  const hint = wishes.hints && hand && analysis ? analysis.best.join(' or ') : null;
  useEffect(() => {
    if (hint) say(`Best: column ${hint}.`);
  }, [hint, shown]);
  const page = useRef<HTMLDivElement>(null);
  useKeptFocus(page, () => {
    const here =
      game?.turn === null ? '.panel .primary' : '.drop[tabindex="0"], .cells [tabindex="0"]';
    return page.current?.querySelector<HTMLElement>(here) ?? null;
  });

  if (state.gone) return <NotFound />;

  const drop = (column: number) => {
    setLookingAt(null);
    if (game) void play.session?.play(column);
    else void play.start({ level: wishes.level, human: 'first' }, column);
  };
  return (
    <div class="play" ref={page}>
      <h1 class="unseen">Connect Four</h1>
      <div class="stage">
        <Status
          game={game && presentGame(state)}
          fresh={!token}
          human={human}
          state={state}
          looking={looking}
        />
        <Board
          stacks={position.stacks}
          order={shown}
          winning={position.winning}
          drop={hand}
          onDrop={drop}
          {...(wishes.scores && aided && running ? { scores: analysis?.scores ?? null } : {})}
          {...(wishes.hints && hand && analysis ? { best: analysis.best } : {})}
        />
        {wishes.scores && aided && running && (
          <p class="verdict">{analysis ? verdictOf(analysis.score, shown.length) : SOLVING}</p>
        )}
      </div>
      {game ? (
        <GamePanel game={game} play={play} at={shown.length} jump={setLookingAt} now={now} />
      ) : token ? (
        <aside class="panel">
          <p class="quiet">Looking for the game.</p>
        </aside>
      ) : (
        <LobbyPanel human={human} setHuman={setHuman} start={play.start} />
      )}
    </div>
  );

  function lobbyHand(): Side | null {
    return !token && human === 'first' && play.opening === null ? 'first' : null;
  }
}

/// Help from the solver is for games against Rowbot and at one screen; friends play fair.
function mayBeAided(game: Game): boolean {
  return game.kind !== 'human-human' || game.you === 'both' || game.turn === null;
}

/// What a screen reader says after each change; silent about what was there before.
function useNews(game: Game | null): void {
  const heard = useRef<{ token: string; moves: string; over: boolean } | null>(null);
  useEffect(() => {
    // A move and its answer are told together.
    if (!game || (game.kind === 'human-agent' && game.thinking && heard.current)) return;
    const before = heard.current;
    heard.current = { token: game.game, moves: game.moves, over: game.turn === null };
    if (before?.token !== game.game) {
      // Rowbot's opening move is news; a game found again is not.
      if (game.moves.length === 1) say(newsOf(game, ''));
      return;
    }
    const ended = game.turn === null && !before.over;
    if (before.moves !== game.moves || ended) say(newsOf(game, before.moves));
  }, [game]);
}
