SELECT f1, f2, above_front FROM quickstart WHERE status = 'ok';
