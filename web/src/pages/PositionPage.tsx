// Any position: reached by a link, by playing both sides, or by setting discs where one likes.
import { useState } from 'preact/hooks';
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
  const [ahead, setAhead] = useState(''); // moves that were stepped back over
  const { start, state } = usePlay(null);
  const { level } = useSettings();
  const levels = useLevels();

  const position = positionAfter(moves)!;
  const order = draft ? orderOf(draft) : { moves };
  const analysis = useAnalysis(moves, !draft && position.result === null);
  const line = ahead.startsWith(moves) ? ahead : moves;

  const show = (next: string) => {
    setDraft(null);
    if (!line.startsWith(next)) setAhead(next);
    else setAhead(line);
    go(`/p/${next}`, 'replace');
  };
  const edit = (stacks: Stacks) => {
    const found = orderOf(stacks);
    if ('moves' in found) show(found.moves);
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
          <button
            type="button"
            onClick={() => (setDraft(null), setAhead(''), go('/p/', 'replace'))}
          >
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
            <MoveList moves={line} at={moves.length} jump={(ply) => show(line.slice(0, ply))} />
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
    return analysis ? `Best line: ${analysis.pv}` : SOLVING;
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
