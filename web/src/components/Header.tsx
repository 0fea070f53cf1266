import { change, type Theme, useSettings } from '../settings';

const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
const SIGN: Record<Theme, string> = { auto: '◐', light: '☀', dark: '☾' };

const PLACES = [
  { page: 'play', path: '/', label: 'Play' },
  { page: 'table', path: '/table', label: 'Robot' },
  { page: 'position', path: '/p/', label: 'Analyse' },
  { page: 'laboratory', path: '/lab', label: 'Laboratory' },
  { page: 'statistics', path: '/statistics', label: 'Statistics' },
  { page: 'survey', path: '/survey', label: 'Survey' },
  { page: 'about', path: '/about', label: 'About' },
];

export function Header({ page }: { page: string }) {
  const { theme } = useSettings();
  return (
    <header>
      <a class="logo" href="/" aria-label="Rowbot, home">
        <img src="/icon.svg" alt="" width="28" height="28" />
        <span>Rowbot</span>
      </a>
      <nav aria-label="Pages">
        {PLACES.map((place) => (
          <a
            key={place.page}
            href={place.path}
            aria-current={page === place.page ? 'page' : undefined}
          >
            {place.label}
          </a>
        ))}
      </nav>
      <button
        type="button"
        class="theme"
        aria-label={`Colours: ${theme === 'auto' ? 'as the system' : theme}. Change`}
        title={`Colours: ${theme === 'auto' ? 'as the system' : theme}`}
        onClick={() => change({ theme: NEXT[theme] })}
      >
        <span aria-hidden="true">{SIGN[theme]}</span>
      </button>
    </header>
  );
}
