/** What Discord's events cost: beside messages over gRPC, and beside a client of others. */
package palyra.bench.discord;
