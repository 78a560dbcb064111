package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.Finding;
import palyra.api.tool.Capability;

class ToolLimitsTest {
    private static final String[] NONE = {};

    private static ToolLimits tools(String... tools) {
        return ToolLimits.of(tools, NONE);
    }

    @Test
    void aNameIsThatToolAndAStarIsEverythingThatBeginsSo() {
        ToolLimits limits = tools(" palyra.echo ", "acme.files.*", "acme.http.get*", "");
        for (String allowed : List.of("palyra.echo", "acme.files.read", "acme.http.get_all")) {
            assertTrue(limits.allow(allowed), allowed);
        }
        for (String refused :
                List.of(
                        "palyra.echo2",
                        "palyra",
                        "acme.files",
                        "acme.http.post",
                        "x.acme.files.a")) {
            assertFalse(limits.allow(refused), refused);
        }
        assertTrue(tools("*").allow("anything.at.all"));
        assertEquals(List.of(), limits.findings());
    }

    @Test
    void anEmptyListAllowsNothing() {
        assertFalse(tools().allow("palyra.echo"));
        assertFalse(ToolLimits.of(null, null).allow("palyra.echo"));
        assertTrue(ToolLimits.of(null, null).capabilities().isEmpty());
    }

    @Test
    void anEntryThatCannotBeUnderstoodAllowsNothingAndIsReported() {
        ToolLimits limits =
                ToolLimits.of(
                        new String[] {"pal*ra.echo", "**", ".echo", "palyra echo"},
                        new String[] {"network", "netwrok", "Process_Exec"});
        for (String tool : List.of("palyra.echo", "pal*ra.echo", "**", ".echo", "palyra echo")) {
            assertFalse(limits.allow(tool), tool);
        }
        assertEquals(Set.of(Capability.NETWORK, Capability.PROCESS_EXEC), limits.capabilities());
        assertEquals(5, limits.findings().size());
        for (Finding finding : limits.findings()) {
            assertEquals(Finding.Severity.ERROR, finding.severity());
            assertFalse(finding.remedy().isEmpty());
        }
    }

    @Test
    void theDefaultsLimitNothing() throws Exception {
        String[] tools = (String[]) AccessConfig.class.getMethod("tools").getDefaultValue();
        String[] capabilities =
                (String[]) AccessConfig.class.getMethod("capabilities").getDefaultValue();
        ToolLimits limits = ToolLimits.of(tools, capabilities);
        assertEquals(EnumSet.allOf(Capability.class), limits.capabilities());
        assertEquals(ToolLimits.none(), limits);
    }
}
