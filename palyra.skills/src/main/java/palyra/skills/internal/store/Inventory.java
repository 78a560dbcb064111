package palyra.skills.internal.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.ledger.LedgerRows;
import palyra.skills.internal.manifest.SemanticVersion;
import palyra.skills.internal.model.SkillId;

/** The installed versions at one moment. Immutable. */
public final class Inventory {
    private static final String MARK = "mark/";

    private final LedgerRows rows;
    private final List<SkillRecord> all;

    /** Reads the versions from the rows. */
    public Inventory(LedgerRows rows) {
        this.rows = rows;
        List<SkillRecord> found = new ArrayList<>();
        rows.below(SkillRecord.ROW).values().forEach(row -> found.add(SkillRecord.of(row)));
        found.sort(
                Comparator.comparing((SkillRecord each) -> each.id().skill())
                        .thenComparing(each -> SemanticVersion.of(each.id().version())));
        this.all = List.copyOf(found);
    }

    static String markRow(String skill) {
        return MARK + skill;
    }

    /** Returns the rows that it was made of. */
    public LedgerRows rows() {
        return rows;
    }

    /** Returns all, by skill and rising version. */
    public List<SkillRecord> all() {
        return all;
    }

    /** Returns the versions of a skill, rising. */
    public List<SkillRecord> versions(String skill) {
        return all.stream().filter(each -> each.id().skill().equals(skill)).toList();
    }

    /** Returns a version. */
    public Optional<SkillRecord> find(SkillId id) {
        return all.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /** Returns a version; NOT_FOUND when it is not installed. */
    public SkillRecord get(SkillId id) {
        return find(id).orElseThrow(() -> missing(id.toString()));
    }

    /**
     * Returns the version that {@code skill} or {@code skill@version} means: without a version the
     * active one, else the highest. NOT_FOUND when no version is installed.
     */
    public SkillRecord resolve(String text) {
        int at = text.indexOf('@');
        if (at >= 0) {
            return all.stream()
                    .filter(each -> each.id().toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> missing(text));
        }
        List<SkillRecord> versions = versions(text);
        if (versions.isEmpty()) {
            throw missing(text);
        }
        return active(text).orElse(versions.get(versions.size() - 1));
    }

    private static PalyraException missing(String what) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "The skill '"
                        + what
                        + "' is not installed; palyra skills list shows installed skills.");
    }

    /** Returns the active version of a skill. */
    public Optional<SkillRecord> active(String skill) {
        return versions(skill).stream().filter(SkillRecord::active).findFirst();
    }

    /** Returns whether an operator marked the skill as trusted. */
    public boolean trusted(String skill) {
        return rows.row(markRow(skill)).isPresent();
    }

    /** Returns the engine that an operator chose for the skill; empty for the default. */
    public String engine(String skill) {
        return rows.row(markRow(skill)).map(row -> row.path("engine").asText()).orElse("");
    }
}
