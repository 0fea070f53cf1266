// Any position: reached by a link, by playing both sides, or by setting discs where one likes.
import { useEffect, useState } from 'preact/hooks';
import { Board } from '../components/Board';
import { CopyLink } from '../components/CopyLink';
import { Chip } from '../components/Disc';
import { MoveList } from '../components/MoveList';
import { useLevels } from '../components/NewGameForm';
import { orderOf, withDisc, withoutTop } from '../editor';
import { useAnalysis, usePlay } from '../play';
import { go } from '../router';
import { canPlay, positionAfter, type Side, type Stacks } from '../rules';
import { change, useSettings } from '../settings';
import { colour, SOLVING, verdictOf } from '../words';

type Tool = 'play' | Side | 'remove';

export function PositionPage({ moves }: { moves: string }) {
  const [tool, setTool] = useState<Tool>('play');
  const [draft, setDraft] = useState<Stacks | null>(null);
  const lines = useLines(moves);
  const { start, state } = usePlay(null);
  const { level } = useSettings();
  const levels = useLevels();

  const position = positionAfter(moves)!;
  const order = draft ? orderOf(draft) : { moves };
  const analysis = useAnalysis(moves, !draft && position.result === null);

  const show = (next: string) => {
    setDraft(null);
    lines.visit(next);
    go(`/p/${next}`, 'replace');
  };
  const begin = (next: string) => {
    setDraft(null);
    lines.begin(next);
    go(`/p/${next}`, 'replace');
  };
  const edit = (stacks: Stacks) => {
    const found = orderOf(stacks);
    if ('moves' in found) begin(found.moves);
    else setDraft(stacks);
  };
  const drop = (column: number) => {
    const stacks = draft ?? position.stacks;
    if (tool === 'remove') edit(withoutTop(stacks, column));
    else if (tool !== 'play') edit(withDisc(stacks, column, tool));
    else if (canPlay(position, column) && !draft) show(moves + column);
  };
  const hand: Side | null =
    tool === 'first' || tool === 'second'
      ? tool
      : tool === 'remove'
        ? 'first'
        : draft
          ? null
          : position.turn;

  return (
    <div class="play">
      <h1 class="unseen">Analyse a position</h1>
      <div class="stage">
        <div class="status">
          <p class="said" role="status">
            {said()}
          </p>
          {'problem' in order && <p class="trouble">{order.problem}</p>}
        </div>
        <Board
          stacks={draft ?? position.stacks}
          order={draft ? '' : moves}
          winning={draft ? [] : position.winning}
          drop={hand}
          onDrop={drop}
          free={tool === 'remove'}
          scores={draft || position.result ? null : (analysis?.scores ?? null)}
          {...(analysis && !draft ? { best: analysis.best } : {})}
        />
        <p class="verdict">{below()}</p>
      </div>
      <aside class="panel" aria-label="Position">
        <h2>Analyse a position</h2>
        <fieldset class="tools">
          <legend>A click on a column</legend>
          {(['play', 'first', 'second', 'remove'] as Tool[]).map((t) => (
            <label key={t}>
              <input type="radio" name="tool" checked={tool === t} onChange={() => setTool(t)} />
              <span>{toolName(t)}</span>
            </label>
          ))}
        </fieldset>
        <div class="buttons">
          <button type="button" onClick={() => begin('')}>
            Empty board
          </button>
          {draft && (
            <button type="button" onClick={() => setDraft(null)}>
              Back to the last position
            </button>
          )}
        </div>
        {!draft && (
          <>
            {lines.branch !== null && (
              <p class="notice variation">
                <span>A variation from move {lines.branch + 1} on.</span>
                <button type="button" onClick={() => show(moves.slice(0, lines.branch!))}>
                  Back to the main line
                </button>
                <button type="button" onClick={() => lines.begin(lines.shown)}>
                  Make it the main line
                </button>
              </p>
            )}
            <MoveList
              moves={lines.shown}
              at={moves.length}
              jump={(ply) => show(lines.shown.slice(0, ply))}
            />
            <CopyLink label="Link to this position" path={`/p/${moves}`} />
          </>
        )}
        {!draft && position.turn && (
          <section class="from-here" aria-labelledby="from-here">
            <h2 id="from-here">Play on from here</h2>
            <label>
              <span>Opponent</span>
              <select value={level} onChange={(e) => change({ level: e.currentTarget.value })}>
                {levels.map((l) => (
                  <option key={l.name} value={l.name}>
                    {l.title}
                  </option>
                ))}
              </select>
            </label>
            <div class="buttons">
              {(['first', 'second'] as const).map((side) => (
                <button
                  key={side}
                  type="button"
                  onClick={() => void start({ level, human: side, moves })}
                >
                  <Chip side={side} /> You play {colour(side).toLowerCase()}
                </button>
              ))}
              <button type="button" onClick={() => void start({ human: 'both', moves })}>
                Two people
              </button>
            </div>
            {state.problem && (
              <p class="trouble" role="alert">
                {state.problem}
              </p>
            )}
          </section>
        )}
      </aside>
    </div>
  );

  function below(): string {
    if (draft || position.result) return ' ';
    if (!analysis) return SOLVING;
    const whole = positionAfter(moves + analysis.pv)?.result != null;
    return `Best line: ${analysis.pv}${whole ? '' : ' …'}`;
  }

  function said(): string {
    if (draft) return 'Setting up a position';
    if (position.result === 'draw') return 'A draw: the board is full';
    if (position.result) return `${colour(position.result)} has four in a row`;
    const turn = `${colour(position.turn!)} to move`;
    return analysis ? `${turn}. ${verdictOf(analysis.score, moves.length)}` : turn;
  }

  function toolName(t: Tool) {
    if (t === 'play') return 'plays a move';
    if (t === 'remove') return 'takes a disc';
    return (
      <>
        <Chip side={t} /> adds {colour(t).toLowerCase()}
      </>
    );
  }
}

/// The line one came with and one variation of it: trying something does not erase the game.
function useLines(moves: string) {
  const [main, setMain] = useState(moves);
  const [variation, setVariation] = useState('');
  useEffect(() => {
    // Another position by a link or by Back.
    if (!main.startsWith(moves) && !variation.startsWith(moves)) begin(moves);
  }, [moves]);
  const begin = (line: string) => {
    setMain(line);
    setVariation('');
  };
  const visit = (next: string) => {
    if (main.startsWith(next)) return;
    if (next.startsWith(main)) setMain(next);
    else if (!variation.startsWith(next)) setVariation(next);
  };
  const onMain = main.startsWith(moves);
  const shown = onMain ? main : variation.startsWith(moves) ? variation : moves;
  const branch = onMain ? null : [...moves].findIndex((column, ply) => main[ply] !== column);
  return { shown, branch, begin, visit };
}
