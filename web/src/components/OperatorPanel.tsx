// Emergency stop and resume, for whoever knows the operator's token.
import { useState } from 'preact/hooks';

interface Props {
  stopped: boolean;
  operate: (what: 'stop' | 'resume', secret: string) => void;
}

export function OperatorPanel({ stopped, operate }: Props) {
  const [secret, setSecret] = useState('');
  return (
    <details class="operator">
      <summary>Operator</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          operate(stopped ? 'resume' : 'stop', secret.trim());
        }}
      >
        <label>
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class={stopped ? 'primary' : 'stop'} disabled={secret.trim() === ''}>
          {stopped ? 'Resume' : 'Stop the robot'}
        </button>
      </form>
    </details>
  );
}
