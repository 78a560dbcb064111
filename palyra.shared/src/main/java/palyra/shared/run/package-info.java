/** How a submitted message is stored and recognised. Copied privately into each bundle. */
package palyra.shared.run;
