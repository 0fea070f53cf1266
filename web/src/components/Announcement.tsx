import { useEffect, useState } from 'preact/hooks';
import { api } from '../api';

const EVERY_MS = 60_000;

/// What the operator has to say to everybody, if anything; also to pages that stay open.
export function Announcement() {
  const [text, setText] = useState('');
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) api.announcement().then(setText, () => {});
    };
    ask();
    const timer = setInterval(ask, EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, []);
  return <div role="status">{text && <p class="notice announcement">{text}</p>}</div>;
}
