import React, { useState, type ReactNode } from "react";
import * as api from "./api";
import "./list.css";

// One thing in the list.
interface Item {
  readonly id: number;
  name: string;
  tags?: string[];
}

type Props<T> = {
  items: T[];
  title?: string;
  onPick: (item: T, index: number) => void;
  children: ReactNode | null;
};

const enum Mode {
  Short,
  Long = "long",
}

const colors: Record<string, string> = { red: "#f00", "dark blue": "#008" };

function Badge({ text, count = 1 }: { text: string; count?: number }): JSX.Element {
  return <b className="badge">{text.repeat(count)}</b>;
}

export function List<T extends Item>({ items, title, onPick, children }: Props<T>) {
  const [filter, setFilter] = useState<string>("");
  const [mode, setMode] = useState(Mode.Short as Mode);
  const shown = items.filter((item) => item.name.includes(filter) && item.id > 0);

  const change = async (event: React.ChangeEvent<HTMLInputElement>) => {
    setFilter(event.target.value);
    try {
      await api.store({ filter, at: Date.now() });
    } catch (error: unknown) {
      console.error(`failed: ${error}\n`, error!);
    }
  };

  if (shown.length === 0) {
    return null;
  } else if (mode !== Mode.Short) {
    for (const item of shown) console.log(item?.tags?.[0] ?? "none");
  }

  return (
    <>
      {/* The head of the list. */}
      <h1 id='top' style={{ color: colors.red, margin: 2 }}>
        {title || "List"} &amp; more
      </h1>
      <input type="text" value={filter} onChange={change} disabled />
      <ul data-mode={mode}>
        {shown.map((item, index) => (
          <li key={item.id} onClick={() => onPick(item, index)}>
            {item.name}: <Badge text="x" count={index + 1} />
            {item.tags && <i>{item.tags.join(", ")}</i>}
          </li>
        ))}
      </ul>
      <button onClick={() => setMode(mode === Mode.Long ? Mode.Short : Mode.Long)}>Change</button>
      <api.Footer {...{ size: 1 }}>{children}</api.Footer>
    </>
  );
}

export default class Page extends React.Component<{ name: string }, { count: number }> {
  state = { count: 0 };

  private add = (by: number): void => {
    this.setState(({ count }) => ({ count: count + by }));
  };

  render() {
    return <p onClick={() => this.add(1)}>{this.state.count}</p>;
  }
}
