package @name@.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import palyra.api.command.ExitCodes;
import palyra.testing.command.FakeCommandContext;

class @Class@CommandTest {
    @Test
    void greets() throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().positionals("Ada").build();
        assertEquals(ExitCodes.OK, context.run(new @Class@Command()));
        assertEquals("Hello, Ada", context.output().fieldSets().get(0).get("greeting"));
    }
}
