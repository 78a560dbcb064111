/** The gateway's share of a turn. */
package palyra.bench.turn;
