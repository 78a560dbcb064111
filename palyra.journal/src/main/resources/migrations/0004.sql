-- min-reader: 4
-- (An earlier one spends without counting.)
-- Budgets: one account for each budget, subject and period, and what is set aside for calls under
-- way. A reservation that was settled leaves no row.

CREATE TABLE budgets (
    budget_no INTEGER PRIMARY KEY,
    period TEXT NOT NULL,
    subject TEXT NOT NULL,
    budget TEXT NOT NULL,
    cap_tokens INTEGER NOT NULL,
    cap_cost INTEGER NOT NULL,
    cap_calls INTEGER NOT NULL,
    used_tokens INTEGER NOT NULL,
    used_cost INTEGER NOT NULL,
    used_calls INTEGER NOT NULL,
    reserved_tokens INTEGER NOT NULL,
    reserved_cost INTEGER NOT NULL,
    reserved_calls INTEGER NOT NULL,
    warned INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX budgets_account ON budgets (period, subject, budget);
CREATE INDEX budgets_of_subject ON budgets (period, subject);
CREATE INDEX budgets_of_period ON budgets (period);

CREATE TABLE budget_reservations (
    reservation_id TEXT NOT NULL,
    budget_no INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (reservation_id, budget_no)
) WITHOUT ROWID;
CREATE INDEX budget_reservations_run ON budget_reservations (run_id);
