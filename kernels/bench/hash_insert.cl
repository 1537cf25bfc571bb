// SPDX-License-Identifier: MIT
// Numbers go into a hash table with open addresses, by atomic_cmpxchg.
kernel void hash_insert(global const uint *keys, global uint *table, uint mask)
{
	uint key = keys[get_global_id(0)], at = key * 2654435761u >> 7;

	for (;;) {
		uint found = atomic_cmpxchg(&table[at & mask], 0u, key);
		if (found == 0 || found == key)
			break;
		at++;
	}
}
