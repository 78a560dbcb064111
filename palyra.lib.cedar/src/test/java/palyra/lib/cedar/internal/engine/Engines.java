package palyra.lib.cedar.internal.engine;

import java.util.List;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;

/** One engine for the tests of this process, and short ways to ask it. */
final class Engines {
    static final String SCHEMA =
            """
            entity User in [User] { name: String, level?: Long, boss: User } tags String;
            entity Doc { owner: User };
            action view, edit appliesTo { principal: User, resource: Doc, context: { hour: Long } };
            """;

    static final CedarEngine ENGINE = new CedarEngine(settings(), 64);

    private Engines() {}

    static Settings settings() {
        return new Settings(PolicySetLimits.STANDARD, 60_000, 100);
    }

    static Compilation compile(String text) {
        return ENGINE.compile(CompileRequest.of(List.of(CedarFile.of("a.cedar", text))));
    }

    static Compilation validate(String text) {
        return ENGINE.compile(
                CompileRequest.of(List.of(CedarFile.of("a.cedar", text))).withSchema(schema()));
    }

    static CedarFile schema() {
        return CedarFile.of("schema.cedarschema", SCHEMA);
    }

    /** Returns where and what, one line each. */
    static List<String> places(List<Diagnostic> diagnostics) {
        return diagnostics.stream().map(Engines::place).toList();
    }

    private static String place(Diagnostic each) {
        return each.file()
                + ":"
                + each.line()
                + ":"
                + each.column()
                + "+"
                + each.length()
                + " "
                + (each.isError() ? "" : "(warning) ")
                + each.message();
    }
}
