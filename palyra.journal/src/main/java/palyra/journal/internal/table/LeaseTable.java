package palyra.journal.internal.table;

import java.sql.SQLException;
import java.util.Optional;
import palyra.api.core.journal.Lease;
import palyra.journal.internal.database.Sql;

/** Leases. */
public final class LeaseTable {
    private final Sql sql;

    LeaseTable(Sql sql) {
        this.sql = sql;
    }

    private record Row(Lease lease, boolean released) {
        boolean heldBy(String owner) {
            return !released && lease.owner().equals(owner);
        }
    }

    private Optional<Row> row(String name) throws SQLException {
        return sql.one(
                "SELECT owner, epoch, expires_at, released FROM leases WHERE name = ?",
                row ->
                        new Row(
                                new Lease(name, row.getString(1), row.getLong(2), row.getLong(3)),
                                row.getInt(4) != 0),
                name);
    }

    public Optional<Lease> find(String name) throws SQLException {
        return row(name).map(Row::lease);
    }

    public boolean isHeld(String name, String owner, long epoch) throws SQLException {
        return row(name)
                .filter(row -> row.heldBy(owner) && row.lease().epoch() == epoch)
                .isPresent();
    }

    /**
     * Takes or renews. A lease of an earlier start of the process is free: this one has the {@link
     * DatabaseLock}, so that one is dead or can write no more.
     */
    public Lease take(String name, String owner, long ttlMillis, long now, String bootId)
            throws SQLException {
        Optional<Row> found = row(name);
        if (found.isEmpty()) {
            return put(new Lease(name, owner, 1, now + ttlMillis));
        }
        Lease held = found.get().lease();
        if (found.get().heldBy(owner)) {
            return put(new Lease(name, owner, held.epoch(), now + ttlMillis));
        }
        boolean free =
                found.get().released()
                        || held.expiresAtMillis() <= now
                        || isOfAnEarlierStart(held.owner(), bootId);
        if (!free) {
            throw Rejections.conflict(
                    "Lease "
                            + name
                            + " cannot be taken by "
                            + owner
                            + ": "
                            + held.owner()
                            + " holds it for another "
                            + (held.expiresAtMillis() - now)
                            + " ms; try again then.");
        }
        boolean abandoned = !found.get().released();
        return put(new Lease(name, owner, held.epoch() + 1, now + ttlMillis, abandoned));
    }

    private static boolean isOfAnEarlierStart(String owner, String bootId) {
        int slash = owner.indexOf('/');
        return !bootId.isEmpty() && slash > 0 && !owner.substring(0, slash).equals(bootId);
    }

    private Lease put(Lease lease) throws SQLException {
        sql.update(
                "INSERT INTO leases (name, owner, epoch, expires_at, released)"
                        + " VALUES (?, ?, ?, ?, 0) ON CONFLICT (name) DO UPDATE SET"
                        + " owner = excluded.owner, epoch = excluded.epoch,"
                        + " expires_at = excluded.expires_at, released = 0",
                lease.name(),
                lease.owner(),
                lease.epoch(),
                lease.expiresAtMillis());
        return lease;
    }

    /** Moves the ends of leases that are held. */
    public void move(long byMillis) throws SQLException {
        sql.update("UPDATE leases SET expires_at = expires_at + ? WHERE released = 0", byMillis);
    }

    /** Gives back; the row stays with its epoch. */
    public void release(String name, String owner, long now) throws SQLException {
        sql.update(
                "UPDATE leases SET released = 1, expires_at = min(expires_at, ?)"
                        + " WHERE name = ? AND owner = ? AND released = 0",
                now,
                name,
                owner);
    }
}
