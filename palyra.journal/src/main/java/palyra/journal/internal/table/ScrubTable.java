package palyra.journal.internal.table;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.journal.internal.database.Sql;

/** Where the scrub is, and what it found. */
public final class ScrubTable {
    private final Sql sql;

    public ScrubTable(Sql sql) {
        this.sql = sql;
    }

    /**
     * Where it is.
     *
     * @param stage what it is at; a name of its own
     * @param after the last key of that stage that is done with; empty at its beginning
     * @param records records of this pass that are intact
     * @param endedAtMillis when the last pass ended, unix time; 0 when none has
     * @param endedRecords records of that pass
     */
    public record Place(
            String stage, String after, long records, long endedAtMillis, long endedRecords) {}

    public Optional<Place> place() throws SQLException {
        return sql.one(
                "SELECT stage, after_key, records, ended_at, ended_records FROM scrub"
                        + " WHERE row_no = 1",
                row ->
                        new Place(
                                row.getString(1),
                                row.getString(2),
                                row.getLong(3),
                                row.getLong(4),
                                row.getLong(5)));
    }

    public void put(Place place) throws SQLException {
        sql.update(
                "INSERT OR REPLACE INTO scrub (row_no, stage, after_key, records, ended_at,"
                        + " ended_records) VALUES (1,?,?,?,?,?)",
                place.stage(),
                place.after(),
                place.records(),
                place.endedAtMillis(),
                place.endedRecords());
    }

    /** Returns what was found, the first by the names of their places. */
    public List<Fault> faults(int limit) throws SQLException {
        return sql.readable(
                "SELECT place, seq, kind, detail FROM scrub_faults WHERE place > ''"
                        + " ORDER BY place LIMIT ?",
                row ->
                        new Fault(
                                row.getString(1),
                                row.getLong(2),
                                Kind.valueOf(row.getString(3)),
                                row.getString(4)),
                limit);
    }

    public void put(Fault fault, long now) throws SQLException {
        sql.update(
                "INSERT OR REPLACE INTO scrub_faults (place, seq, kind, detail, found_at)"
                        + " VALUES (?,?,?,?,?)",
                fault.streamId(),
                fault.seq(),
                fault.kind().name(),
                fault.detail(),
                now);
    }

    public void delete(String place) throws SQLException {
        sql.update("DELETE FROM scrub_faults WHERE place = ?", place);
    }
}
