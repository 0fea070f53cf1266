export function NotFound() {
  return (
    <article class="text">
      <h1>Nothing is here</h1>
      <p>
        The address is not one of this page, or the game is no longer known.{' '}
        <a href="/">Play a new game</a>
      </p>
    </article>
  );
}
