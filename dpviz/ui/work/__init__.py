"""Computing in the background: jobs, the desk that schedules them, and the answers pages wait for."""
