package palyra.lib.cedar;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The native Cedar engine: compiler, validator, formatter and oracle.
 *
 * <p>Texts may come from any caller. They are checked before native code sees them (encoding, size,
 * nesting, growth), and their problems come back as {@link Diagnostic}s. Everything else that goes
 * wrong is a {@link CedarException}: no library, a full queue, a deadline, an answer that makes no
 * sense. Nothing that failed ever reads as an allow.
 *
 * <p>Native work runs on two threads of the service, on each in the order of the calls: decisions
 * on one, everything else on the other, so that no text delays a decision ({@link PreparedUse}).
 * Methods may be called from any thread and wait for their turn, at most as long as configured; an
 * interrupt ends the wait.
 */
@ProviderType
public interface Cedar {
    /** Returns how the engine is; never waits, never throws. */
    CedarStatus status();

    /**
     * Parses policies, validates them (strictly) when the request has a schema, and returns their
     * official JSON form. A request without policies is valid.
     *
     * @throws CedarException when no verdict was reached
     */
    Compilation compile(CompileRequest request);

    /**
     * Formats the policies of one file. Comments are kept; should the formatter lose one, that is a
     * diagnostic and the text stays as it was.
     *
     * @param lineWidth characters, 20 to 400
     * @param indentWidth characters, 1 to 16
     * @throws CedarException when no verdict was reached
     */
    Converted format(CedarFile policies, int lineWidth, int indentWidth);

    /**
     * Checks a schema by itself and returns errors and warnings; empty if it is valid.
     *
     * @throws CedarException when no verdict was reached
     */
    List<Diagnostic> checkSchema(CedarFile schema);

    /**
     * Converts a schema to its JSON form, the members in a fixed order; comments are lost. A schema
     * that is JSON already is checked and returned.
     *
     * @throws CedarException when no verdict was reached
     */
    Converted schemaToJson(CedarFile schema);

    /**
     * Converts a schema to the Cedar schema language. One that is in it already is checked and
     * returned.
     *
     * @throws CedarException when no verdict was reached
     */
    Converted schemaToCedar(CedarFile schema);

    /**
     * Checks entities, a JSON array in Cedar's format, against a schema. An entity that is wrong by
     * itself is reported at its place, several at once; problems between them (duplicates, cycles)
     * at the first.
     *
     * @throws CedarException when no verdict was reached
     */
    List<Diagnostic> checkEntities(CedarFile schema, CedarFile entities);

    /**
     * Parses a compiled policy set once more into the engine, to be asked for decisions as one
     * {@link PreparedUse#IN_FORCE in force}.
     *
     * @throws CedarException also when the compilation has errors
     */
    PreparedPolicySet prepare(Compilation compilation);

    /**
     * Parses policies that were compiled without errors before into the engine. It takes far less
     * time and memory than {@link #compile}, which need not have been called in this process.
     *
     * @param request without links of templates
     * @param use on which thread it is prepared and asked
     * @throws CedarException also when the request has links, or texts with errors
     */
    PreparedPolicySet prepare(CompileRequest request, PreparedUse use);
}
