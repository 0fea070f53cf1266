// Who plays whom, and how often.
import { useState } from 'preact/hooks';
import type { LabAgent, MatchWish } from './types';

const OTHER = 'other';
const MOST_GAMES = 200;

interface Props {
  agents: LabAgent[];
  busy: boolean; // a match of this page is under way
  start: (wish: MatchWish) => void;
}

export function MatchForm({ agents, busy, start }: Props) {
  const [a, setA] = useState('mcts:sims=1000');
  const [b, setB] = useState('rhodes');
  const [games, setGames] = useState(100);
  const [openings, setOpenings] = useState(2);
  const [seed, setSeed] = useState(1);

  const submit = (event: Event) => {
    event.preventDefault();
    start({ a, b, games, seed, openings });
  };
  return (
    <form class="match-form" onSubmit={submit}>
      <AgentChoice name="A" agents={agents} value={a} choose={setA} />
      <AgentChoice name="B" agents={agents} value={b} choose={setB} />
      <div class="numbers">
        <Whole label="Games" value={games} set={setGames} least={1} most={MOST_GAMES} />
        <Whole label="Random first moves" value={openings} set={setOpenings} least={0} most={12} />
        <Whole label="Seed" value={seed} set={setSeed} least={0} most={Number.MAX_SAFE_INTEGER} />
        <button type="submit" class="primary" disabled={busy || a === '' || b === ''}>
          Start
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  agents: LabAgent[];
  value: string;
  choose: (text: string) => void;
}

function AgentChoice({ name, agents, value, choose }: ChoiceProps) {
  const [other, setOther] = useState(false);
  const known = agents.find((agent) => agent.text === value);
  const pick = (text: string) => {
    setOther(text === OTHER);
    if (text !== OTHER) choose(text);
  };
  return (
    <div class="agent-choice">
      <label>
        <span>Agent {name}</span>
        <select
          value={other || !known ? OTHER : value}
          onChange={(event) => pick(event.currentTarget.value)}
        >
          {agents.map((agent) => (
            <option key={agent.text} value={agent.text}>
              {agent.title}
            </option>
          ))}
          <option value={OTHER}>Another, by its text</option>
        </select>
      </label>
      {other || !known ? (
        <label>
          <span>Text of agent {name}, such as mcts:sims=500,c=1.4</span>
          <input
            type="text"
            value={value}
            maxLength={120}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            onInput={(event) => choose(event.currentTarget.value)}
          />
        </label>
      ) : (
        <p class="quiet">{known.help}</p>
      )}
    </div>
  );
}

interface WholeProps {
  label: string;
  value: number;
  set: (value: number) => void;
  least: number;
  most: number;
}

function Whole({ label, value, set, least, most }: WholeProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        required
        min={least}
        max={most}
        step={1}
        value={value}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
