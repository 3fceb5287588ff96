extension HTMLHistory {
    /// How the page looks. Colours keep a contrast of at least 4.5 to 1 for all text, in both schemes.
    static let style = """
        :root { color-scheme: light dark; --page: #f4f3ef; --text: #1d1f23; --muted: #5d6168; --line: #d9d7d0;
            --in: #ffffff; --out: #d3e8dc; --bad: #a3261b; --link: #1b5e8c; }
        @media (prefers-color-scheme: dark) { :root { --page: #16181c; --text: #e7e6e1; --muted: #a2a6ad;
            --line: #33373e; --in: #24282f; --out: #1f4234; --bad: #ff9d90; --link: #8cc4ee; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.45 system-ui, sans-serif; }
        header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
        header p { color: var(--muted); margin: .25rem 0; }
        h1 { margin: 1rem 0 0; font-size: 1.6rem; overflow-wrap: anywhere; }
        nav { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .8rem; }
        nav a { color: var(--link); text-decoration: none; border: 1px solid var(--line); border-radius: 1rem;
            padding: .1rem .75rem; overflow-wrap: anywhere; }
        nav a:hover, nav a:focus { text-decoration: underline; }
        section { display: flex; flex-direction: column; gap: .35rem; margin-bottom: 3rem; }
        h2 { position: sticky; top: 0; margin: 0; padding: .6rem 0; background: var(--page); font-size: 1.15rem;
            border-bottom: 1px solid var(--line); overflow-wrap: anywhere; z-index: 1; }
        h2 small { color: var(--muted); font-weight: normal; }
        h3 { align-self: center; margin: 1.1rem 0 .4rem; padding: .1rem .8rem; border-radius: 1rem;
            background: var(--line); color: var(--text); font-size: .8rem; font-weight: 600; }
        article { max-width: 80%; padding: .45rem .75rem .35rem; border-radius: 1rem;
            box-shadow: 0 1px 1px rgb(0 0 0 / .12); content-visibility: auto; contain-intrinsic-size: auto 4.5rem; }
        article b { display: block; font-size: .8rem; color: var(--muted); overflow-wrap: anywhere; }
        article p { margin: 0; overflow-wrap: anywhere; }
        article footer { text-align: end; font-size: .72rem; color: var(--muted); }
        article footer i { font-style: normal; }
        .in { align-self: flex-start; background: var(--in); border-end-start-radius: .25rem; }
        .out { align-self: flex-end; background: var(--out); border-end-end-radius: .25rem; }
        .out b { display: none; }
        .notice { align-self: center; margin: .3rem 0; max-width: 90%; text-align: center; font-size: .85rem;
            color: var(--muted); overflow-wrap: anywhere; }
        .bad { color: var(--bad); font-weight: 600; }
        @media print { h2 { position: static; } article { box-shadow: none; border: 1px solid var(--line);
            break-inside: avoid; } }
        """
}
