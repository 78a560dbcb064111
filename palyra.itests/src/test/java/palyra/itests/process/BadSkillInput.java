package palyra.itests.process;

import java.nio.file.Path;
import java.util.List;

/** Bad input on the commands of skills. */
final class BadSkillInput {
    private static final String NOBODYS = "nobody.nothing";

    private BadSkillInput() {}

    /** Beyond the unknown option and the surplus argument that every command is given. */
    static List<BadInput> table(Path noSkill) {
        String file = noSkill.toString();
        return List.of(
                BadInput.usage("skills", "admit"),
                BadInput.missing("skills", "admit", "/nowhere/x.wasm"),
                BadInput.missing("skills", "appeal", NOBODYS, "It was a mistake."),
                BadInput.usage("skills", "appeal"),
                BadInput.usage("skills", "audit", NOBODYS, "--file", file),
                BadInput.missing("skills", "audit", NOBODYS),
                BadInput.usage("skills", "build"),
                BadInput.missing("skills", "check", NOBODYS),
                BadInput.usage("skills", "disable"),
                BadInput.missing("skills", "disable", NOBODYS),
                BadInput.usage("skills", "enable"),
                BadInput.missing("skills", "enable", NOBODYS, "--yes"),
                BadInput.usage("skills", "info"),
                BadInput.missing("skills", "info", NOBODYS),
                BadInput.usage("skills", "init"),
                BadInput.usage("skills", "init", file, "--template", "cobol"),
                BadInput.usage("skills", "install"),
                BadInput.missing("skills", "install", "/nowhere/x.palyra-skill"),
                BadInput.usage("skills", "keygen"),
                BadInput.usage("skills", "quarantine"),
                BadInput.missing("skills", "quarantine", NOBODYS, "--reason", "odd"),
                BadInput.usage("skills", "remove"),
                BadInput.missing("skills", "remove", NOBODYS, "--yes"),
                BadInput.usage("skills", "rollback"),
                BadInput.missing("skills", "rollback", NOBODYS),
                BadInput.usage("skills", "run"),
                BadInput.usage("skills", "run", file),
                BadInput.usage("skills", "run", file, "--grant", "everything"),
                BadInput.missing("skills", "run", NOBODYS),
                BadInput.usage("skills", "sign"),
                BadInput.usage("skills", "sign", file),
                BadInput.usage("skills", "trust"),
                BadInput.usage("skills", "trust", "everybody"),
                BadInput.usage("skills", "trust", "allow", "acme"),
                BadInput.usage("skills", "trust", "allow", "acme", "abc"),
                BadInput.usage("skills", "trust", "revoke", "key:00"),
                BadInput.usage("skills", "update"),
                BadInput.missing("skills", "update", "/nowhere/x.palyra-skill"),
                BadInput.usage("skills", "verify"),
                BadInput.missing("skills", "verify", "/nowhere/x.palyra-skill"));
    }
}
