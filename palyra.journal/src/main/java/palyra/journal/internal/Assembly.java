package palyra.journal.internal;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.keys.Keys;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DamagedRows;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.read.Feed;
import palyra.journal.internal.read.OwnKeys;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.read.StoreCopy;
import palyra.journal.internal.read.TapeReader;
import palyra.journal.internal.table.KnownLosses;
import palyra.journal.internal.verify.HeadRepair;
import palyra.journal.internal.verify.LossDetector;
import palyra.journal.internal.verify.Scrub;
import palyra.journal.internal.verify.ScrubReport;
import palyra.journal.internal.verify.SealCheckpointWriter;
import palyra.journal.internal.verify.StoreVerifier;
import palyra.journal.internal.write.Checkpoints;
import palyra.journal.internal.write.DatabaseOpener;
import palyra.journal.internal.write.Deliveries;
import palyra.journal.internal.write.GroupSettlement;
import palyra.journal.internal.write.UnitPreparer;
import palyra.journal.internal.write.Upkeep;
import palyra.journal.internal.write.WriteQueue;
import palyra.journal.internal.write.Writer;
import palyra.shared.gate.Gate;

/** The parts of a store, made in the order in which they need each other. */
final class Assembly {
    final JournalSettings settings;
    final Migrations migrations;
    final Meters meters = new Meters();
    final DamagedRows damaged = new DamagedRows();
    final KnownLosses losses = new KnownLosses();
    final Health health;
    final ReentrantLock turn = new ReentrantLock();
    final DatabaseFile file;
    final DatabaseLock lock;
    final PayloadFiles files;
    final TapeReader tapes;
    final WriteQueue queue;
    final ReadPool readers;
    final ReadPool scanners;
    final OwnKeys ownKeys;
    final Feed feed;
    final Deliveries deliveries;
    final Checkpoints checkpoints;
    final UnitPreparer preparer;
    final StoreVerifier verifier;
    final Writer writer;
    final SealCheckpointWriter seals;
    final Scrub scrub;
    final ScrubReport scrubbed = new ScrubReport();
    final Upkeep upkeep;
    final StoreCopy copy;
    final StoreClock clock;

    Assembly(
            JournalSettings settings,
            Gate<Keys> keys,
            StoreClock clock,
            ConnectionSource connections,
            Migrations migrations) {
        this.settings = settings;
        this.clock = clock;
        this.migrations = migrations;
        HeadSigner signer = new HeadSigner(keys);
        file = new DatabaseFile(settings.folder());
        health = new Health(file);
        lock = new DatabaseLock(file);
        files = new PayloadFiles(settings.folder().resolve("payloads"));
        tapes = new TapeReader(files);
        queue = new WriteQueue(settings.writing());
        readers = new ReadPool(ReadPool.Use.KEYS, settings, connections, health, meters, damaged);
        scanners = new ReadPool(ReadPool.Use.SCANS, settings, connections, health, meters, damaged);
        ownKeys = new OwnKeys(readers, signer);
        feed = new Feed(settings.upkeep().feedQueue());
        deliveries = new Deliveries(feed);
        checkpoints = new Checkpoints(settings.medium(), connections, health, meters, turn);
        copy = new StoreCopy(file, files, health);
        preparer = new UnitPreparer(files, file, settings.payloads());
        verifier = new StoreVerifier(scanners, tapes, signer, queue);
        DatabaseOpener opening =
                new DatabaseOpener(settings, file, lock, connections, migrations, signer, clock);
        GroupSettlement settling = new GroupSettlement(files, deliveries, meters);
        writer =
                new Writer(
                        settings,
                        new Writer.Parts(
                                queue,
                                opening,
                                file,
                                health,
                                settling,
                                checkpoints,
                                List.of(readers, scanners),
                                meters,
                                turn,
                                damaged.search()));
        LossDetector lost =
                new LossDetector(
                        scanners,
                        losses,
                        new HeadRepair(scanners, tapes, signer, queue, losses),
                        queue);
        seals = new SealCheckpointWriter(scanners, signer, ownKeys, queue, settings.checks());
        Runnable checks =
                () -> {
                    lost.step();
                    seals.step();
                };
        scrub = new Scrub(settings, connections, tapes, signer, health, clock, queue, scrubbed);
        upkeep = new Upkeep(settings, queue, file, files, health, clock, checks);
    }
}
