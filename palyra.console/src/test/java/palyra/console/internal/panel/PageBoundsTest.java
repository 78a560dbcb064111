package palyra.console.internal.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.console.Block;

class PageBoundsTest {
    private static final Block SHORT = new Block.Paragraph("a");

    @Test
    void cutsAPageOffAtItsBoundsAndSaysSo() {
        List<Block> fits = Collections.nCopies(PageBounds.MOST_BLOCKS, SHORT);
        assertEquals(fits, PageBounds.within(fits));
        List<Block> many = PageBounds.within(Collections.nCopies(100_000, SHORT));
        assertEquals(PageBounds.MOST_BLOCKS + 1, many.size());
        assertInstanceOf(Block.Notice.class, many.getLast());
        Block large = new Block.Preformatted("", "x".repeat(PageBounds.MOST_CHARACTERS));
        List<Block> cut = PageBounds.within(List.of(SHORT, large, SHORT));
        assertEquals(2, cut.size());
        assertInstanceOf(Block.Notice.class, cut.getLast());
    }
}
