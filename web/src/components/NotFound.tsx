import { faultOf } from '../rules';

export function NotFound({ moves }: { moves?: string | undefined }) {
  const fault = moves ? faultOf(moves) : null;
  return (
    <article class="text">
      <h1>{fault ? 'This is not a game' : 'Nothing is here'}</h1>
      {moves && fault ? (
        <p>
          {fault.why}{' '}
          <a href={`/p/${moves.slice(0, fault.legal)}`}>
            {fault.legal > 0 ? `See the ${fault.legal} moves before it` : 'Set up a position'}
          </a>
        </p>
      ) : (
        <p>
          The address is not one of this page, or the game is no longer known.{' '}
          <a href="/">Play a new game</a>
        </p>
      )}
    </article>
  );
}
