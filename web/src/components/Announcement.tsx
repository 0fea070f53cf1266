import { useEffect, useState } from 'preact/hooks';
import { api } from '../api';

/// What the operator has to say to everybody, if anything.
export function Announcement() {
  const [text, setText] = useState('');
  useEffect(() => {
    api.announcement().then(setText, () => {});
  }, []);
  return text ? <p class="notice announcement">{text}</p> : null;
}
