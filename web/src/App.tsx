import { useEffect, useRef } from 'preact/hooks';
import { Announcement } from './components/Announcement';
import { Header } from './components/Header';
import { Later } from './components/Later';
import { NotFound } from './components/NotFound';
import { About } from './pages/About';
import { PlayPage } from './pages/PlayPage';
import { PositionPage } from './pages/PositionPage';
import { ReviewPage } from './pages/ReviewPage';
import { StatisticsPage } from './pages/StatisticsPage';
import { SurveyPage } from './pages/SurveyPage';
import { TablePlace } from './pages/TablePlace';
import { type Route, useRoute } from './router';
import { LiveRegion } from './say';

const TITLES: Record<Route['page'], string> = {
  play: 'Connect Four',
  game: 'A game',
  position: 'A position',
  review: 'Review',
  laboratory: 'Laboratory',
  statistics: 'Statistics',
  survey: 'Survey',
  table: 'The robot’s table',
  about: 'About',
  unknown: 'Not found',
};

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(route.page);
  useEffect(() => {
    document.title = `${TITLES[route.page]} · Rowbot`;
    // Keyboard and screen reader go on in the new page; on the board, if a game begins.
    const moved = shown.current !== route.page;
    shown.current = route.page;
    const board = main.current?.querySelector<HTMLElement>('.cells [tabindex="0"]');
    if (route.page !== 'game' || !board) {
      if (moved) main.current?.focus({ preventScroll: true });
    } else if (moved && !board.closest('.cells')!.contains(document.activeElement)) {
      board.focus({ preventScroll: true });
    }
  }, [route.page]);
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <Header page={route.page} />
      <Announcement />
      <LiveRegion />
      <main id="main" ref={main} tabIndex={-1}>
        {pageOf(route)}
      </main>
      <footer>
        <p>
          Rowbot keeps games and survey answers, and nothing about who you are. No cookies, no
          trackers. <a href="/about">More about it</a>
        </p>
      </footer>
    </>
  );
}

const laboratoryPage = () =>
  import('./pages/LaboratoryPage').then((module) => module.LaboratoryPage);

function pageOf(route: Route) {
  switch (route.page) {
    case 'play':
    case 'game':
      // One component for both, so that the board stays when the first move makes the game.
      return <PlayPage token={route.page === 'game' ? route.token : null} />;
    case 'position':
      return <PositionPage moves={route.moves} />;
    case 'review':
      return <ReviewPage key={route.token} token={route.token} />;
    case 'laboratory':
      return <Later load={laboratoryPage} props={{ id: route.id }} />;
    case 'statistics':
      return <StatisticsPage />;
    case 'survey':
      return <SurveyPage />;
    case 'table':
      return <TablePlace />;
    case 'about':
      return <About />;
    case 'unknown':
      return <NotFound moves={route.moves} />;
  }
}
