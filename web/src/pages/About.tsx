export function About() {
  return (
    <article class="text">
      <h1>About Rowbot</h1>
      <p class="lead">
        Rowbot plays Connect Four: at this page, at the terminal, and with a robot arm, which so far
        drops its discs in a physical simulation: <a href="/table">sit down at its table</a>. It is
        free software for people who like games, and for classes on how machines play them.
      </p>
      <h2>The opponents</h2>
      <p>
        <strong>Easy</strong>, <strong>Moderate</strong> and <strong>Hard</strong> search with Monte
        Carlo tree search: they play many quick games in their head and follow the promising ones.
        They think 15, 60 and 1500 milliseconds, as in the bachelor thesis they come from, where
        1276 games were played against people. The rungs below are for beginners of any age.{' '}
        <strong>Perfect</strong> knows the outcome of every position and never errs. The first
        player can always win, so begin in the middle; then keep it up for twenty more moves.
      </p>
      <h2>Exact scores</h2>
      <p>
        Connect Four is solved. Switch on <em>Scores</em> during a game and each column shows what
        it is worth with best play from both sides: <b>+1</b> wins with the side’s last disc,{' '}
        <b>+2</b> with the one before, and so on; <b>−</b> loses likewise, <b>0</b> is a draw.{' '}
        <em>Hints</em> marks the best columns, <em>Thoughts</em> shows what Rowbot considered. After
        the game the review finds the move that decided it.
      </p>
      <h2>Keys</h2>
      <p>
        <kbd>1</kbd> to <kbd>7</kbd> drop a disc. On the board, <kbd>←</kbd> and <kbd>→</kbd> choose
        a column, <kbd>Enter</kbd>, <kbd>Space</kbd> or <kbd>↓</kbd> drop. Screen readers hear each
        move: there is one board for everybody.
      </p>
      <h2>Your data</h2>
      <p>
        No personal data is kept. The server stores games (moves, level, result) and survey answers
        without a name, and the page sets no cookies and loads nothing from elsewhere. Your browser
        remembers your settings and the address of your last game; whoever has the address of a game
        can see it.
      </p>
    </article>
  );
}
