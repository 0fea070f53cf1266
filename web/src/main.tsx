import { render } from 'preact';
import { App } from './App';
import { followLinks } from './router';
import { followSystemTheme } from './settings';
import './styles/base.css';
import './styles/board.css';
import './styles/pages.css';
import './styles/panel.css';
import './styles/print.css'; // last: it overrules the others

followSystemTheme();
followLinks();
render(<App />, document.getElementById('page')!);
