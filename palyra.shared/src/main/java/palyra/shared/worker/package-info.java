/** Worker processes: their program files, the sandbox of Tier B that confines them, their end. */
package palyra.shared.worker;
