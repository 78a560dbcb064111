/** What the gateway and executors of tools have to do alike. */
package palyra.shared.tool;
