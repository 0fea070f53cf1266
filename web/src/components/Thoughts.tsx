// What the agent thought before its last move: how often it tried each column and what it expects.
import type { Evidence, EvidenceMove } from '../types';
import { grouped } from '../words';

export function Thoughts({ evidence, name }: { evidence: Evidence | null; name: string }) {
  if (!evidence) {
    return <p class="quiet">After {name}’s next move, its thoughts appear here.</p>;
  }
  const most = Math.max(1, ...evidence.moves.map((move) => move.visits ?? 0));
  return (
    <section class="thoughts" aria-label={`What ${name} thought`}>
      <p class="quiet">{effort(evidence, name)}</p>
      {evidence.moves.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Tried</th>
              <th scope="col">Expects</th>
            </tr>
          </thead>
          <tbody>
            {evidence.moves.map((move) => (
              <tr key={move.column} class={move.column === evidence.column ? 'chosen' : ''}>
                <th scope="row">{move.column}</th>
                <td>
                  {move.visits !== null && (
                    <div class="bar">
                      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={(100 * move.visits) / most} height="10" />
                      </svg>
                      <span>{grouped(move.visits)}</span>
                    </div>
                  )}
                </td>
                <td>{expects(move)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function effort(evidence: Evidence, name: string): string {
  const parts = [
    evidence.milliseconds != null && `${grouped(evidence.milliseconds)} ms`,
    !!evidence.simulations && `${grouped(evidence.simulations)} games tried`,
    !!evidence.nodes && !evidence.simulations && `${grouped(evidence.nodes)} positions`,
    !!evidence.depth && `${evidence.depth} moves deep`,
  ].filter((part): part is string => Boolean(part));
  return `${name} chose column ${evidence.column}${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}

export function expects(move: EvidenceMove): string {
  if (move.proven === 'win') return 'certain win';
  if (move.proven === 'loss') return 'certain loss';
  if (move.proven === 'draw') return 'certain draw';
  return move.value === null ? '' : `wins ${Math.round(50 * (move.value + 1))} %`;
}
