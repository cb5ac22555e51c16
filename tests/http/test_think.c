/* The engine's threads: whose turn it is, how many may wait, and how everything ends. */
#include "http/think.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include <cmocka.h>

enum { MEMORY = SEARCH_MEMORY_MIN, JOBS = 64 };

/* What a test sees of one job. */
struct task {
	struct think_job job;
	char name;
	unsigned steps; /* still to do */
	struct scene *scene;
	bool wants_gate; /* each step waits for the test */
	sem_t entered, gate;
	sem_t over;
	bool stopped;
};

/* The order in which steps were done. */
struct scene {
	struct think *think;
	pthread_mutex_t lock;
	char order[256];
	struct task tasks[JOBS];
};

static bool
step(struct think_job *job, struct search *search)
{
	struct task *task = (struct task *)(void *)job;
	assert_non_null(search);
	sem_post(&task->entered);
	if (task->wants_gate)
		sem_wait(&task->gate);
	pthread_mutex_lock(&task->scene->lock);
	strncat(task->scene->order, &task->name, 1);
	pthread_mutex_unlock(&task->scene->lock);
	return --task->steps > 0;
}

static void
done(struct think_job *job)
{
	struct task *task = (struct task *)(void *)job;
	task->stopped = job->stop;
	sem_post(&task->over);
}

static struct task *
task_of(struct scene *scene, unsigned at, enum think_class class, char name, unsigned steps)
{
	struct task *task = &scene->tasks[at];
	*task = (struct task){
	    .job = {.class = class, .step = step, .done = done}, .name = name, .steps = steps, .scene = scene};
	sem_init(&task->entered, 0, 0);
	sem_init(&task->gate, 0, 0);
	sem_init(&task->over, 0, 0);
	return task;
}

static void
submit(struct scene *scene, struct task *task)
{
	enum fault fault = FAULT_NONE;
	assert_true(think_submit(scene->think, &task->job, &fault));
}

static void
open_scene(struct scene *scene, unsigned threads)
{
	char why[128];
	memset(scene, 0, sizeof *scene);
	pthread_mutex_init(&scene->lock, NULL);
	const struct think_options options = {
	    .threads = threads, .memory = MEMORY, .questions = LIMIT_QUESTIONS, .moves = LIMIT_ENGINE_MOVES};
	scene->think = think_open(&options, why, sizeof why);
	assert_non_null(scene->think);
}

/* The one thread is held by a job, until the test lets it go on. */
static struct task *
hold(struct scene *scene)
{
	struct task *task = task_of(scene, JOBS - 1, THINK_QUESTION, '.', 1);
	task->wants_gate = true;
	submit(scene, task);
	sem_wait(&task->entered);
	return task;
}

static void
close_scene(struct scene *scene)
{
	think_end(scene->think);
	think_close(scene->think);
	pthread_mutex_destroy(&scene->lock);
}

static struct scene scene;

static void
classes_take_turns(void **state)
{
	(void)state;
	open_scene(&scene, 1);
	struct task *held = hold(&scene);
	for (unsigned i = 0; i < 6; i++)
		submit(&scene, task_of(&scene, i, THINK_ENGINE, 'e', 1));
	for (unsigned i = 6; i < 10; i++)
		submit(&scene, task_of(&scene, i, THINK_QUESTION, 'q', 1));
	for (unsigned i = 10; i < 13; i++)
		submit(&scene, task_of(&scene, i, THINK_PERSON, 'p', 1));
	sem_post(&held->gate);
	for (unsigned i = 0; i < 13; i++)
		sem_wait(&scene.tasks[i].over);
	assert_string_equal(scene.order, ".pqepqpqeqeeee");
	close_scene(&scene);
}

static void
a_quick_question_comes_before_the_next_dear_one(void **state)
{
	(void)state;
	open_scene(&scene, 1);
	struct task *held = hold(&scene);
	for (unsigned i = 0; i < 5; i++)
		submit(&scene, task_of(&scene, i, THINK_QUESTION, 'q', 1));
	for (unsigned i = 5; i < 8; i++)
		submit(&scene, task_of(&scene, i, THINK_QUICK, 'k', 1));
	submit(&scene, task_of(&scene, 8, THINK_ENGINE, 'e', 2));
	submit(&scene, task_of(&scene, 9, THINK_PERSON, 'p', 2));
	sem_post(&held->gate);
	for (unsigned i = 0; i < 10; i++)
		sem_wait(&scene.tasks[i].over);
	assert_string_equal(scene.order, ".pkqepkqkqeqq");
	close_scene(&scene);
}

static void
quick_and_dear_questions_have_one_cap(void **state)
{
	(void)state;
	enum fault fault = FAULT_NONE;
	struct think_count count;
	open_scene(&scene, 1);
	struct task *held = hold(&scene);
	for (unsigned i = 0; i < LIMIT_QUESTIONS - 1; i++)
		submit(&scene, task_of(&scene, i, i % 3 == 0 ? THINK_QUICK : THINK_QUESTION, 'q', 1));
	think_count(scene.think, &count);
	assert_int_equal(count.waiting[THINK_QUICK], (LIMIT_QUESTIONS + 1) / 3);
	assert_int_equal(count.waiting[THINK_QUICK] + count.waiting[THINK_QUESTION], LIMIT_QUESTIONS - 1);
	for (enum think_class class = THINK_QUICK; class <= THINK_QUESTION; class ++) {
		struct think_job another = {.class = class, .step = step, .done = done};
		fault = FAULT_NONE;
		assert_false(think_submit(scene.think, &another, &fault));
		assert_int_equal(fault, FAULT_ENGINE_BUSY);
	}
	/* The room that a quick one leaves is a dear one's too, and the other way round. */
	for (unsigned i = 0; i < 2; i++) {
		think_cancel(scene.think, &scene.tasks[i].job);
		submit(&scene, task_of(&scene, i, i == 0 ? THINK_QUESTION : THINK_QUICK, 'q', 1));
	}
	sem_post(&held->gate);
	close_scene(&scene);
}

static void
a_long_job_lets_others_in(void **state)
{
	(void)state;
	open_scene(&scene, 1);
	struct task *held = hold(&scene);
	submit(&scene, task_of(&scene, 0, THINK_QUESTION, 'a', 3));
	submit(&scene, task_of(&scene, 1, THINK_QUESTION, 'b', 1));
	submit(&scene, task_of(&scene, 2, THINK_QUESTION, 'c', 2));
	sem_post(&held->gate);
	for (unsigned i = 0; i < 3; i++)
		sem_wait(&scene.tasks[i].over);
	assert_string_equal(scene.order, ".abcaca");
	assert_false(scene.tasks[0].stopped);
	close_scene(&scene);
}

static void
each_class_has_a_cap(void **state)
{
	(void)state;
	enum fault fault = FAULT_NONE;
	static struct task many[LIMIT_ENGINE_MOVES + 1];
	open_scene(&scene, 1);
	struct task *held = hold(&scene);
	for (unsigned i = 0; i < LIMIT_ENGINE_MOVES + 1; i++) {
		struct think_job job = {.class = THINK_ENGINE, .step = step, .done = done};
		many[i].scene = &scene;
		many[i].job = job;
		sem_init(&many[i].over, 0, 0);
		assert_int_equal(think_submit(scene.think, &many[i].job, &fault), i < LIMIT_ENGINE_MOVES);
	}
	assert_int_equal(fault, FAULT_ENGINE_BUSY);
	/* The others' caps are their own; the job that is held counts. */
	for (unsigned i = 0; i < LIMIT_QUESTIONS - 1; i++)
		submit(&scene, task_of(&scene, i, THINK_QUESTION, 'q', 1));
	struct think_job another = {.class = THINK_QUESTION, .step = step, .done = done};
	fault = FAULT_NONE;
	assert_false(think_submit(scene.think, &another, &fault));
	assert_int_equal(fault, FAULT_ENGINE_BUSY);
	/* Who leaves makes room. */
	think_cancel(scene.think, &scene.tasks[5].job);
	assert_true(scene.tasks[5].stopped);
	submit(&scene, task_of(&scene, 5, THINK_QUESTION, 'q', 1));
	sem_post(&held->gate);
	close_scene(&scene);
	for (unsigned i = 0; i < LIMIT_ENGINE_MOVES; i++)
		sem_wait(&many[i].over);
}

/* A step that ends only because it is told to. */
static bool
think_until_told(struct think_job *job, struct search *search)
{
	struct task *task = (struct task *)(void *)job;
	struct position position;
	struct search_result result;
	struct search_limits limits = {.stop = &job->stop};
	position_start(VARIANT_HALMA_2, &position);
	sem_post(&task->entered);
	search_run(search, &position, NULL, &limits, &result);
	return true;
}

static void
a_job_that_runs_is_cancelled(void **state)
{
	(void)state;
	open_scene(&scene, 2);
	struct task *task = task_of(&scene, 0, THINK_PERSON, 'a', 1);
	task->job.step = think_until_told;
	submit(&scene, task);
	sem_wait(&task->entered);
	think_cancel(scene.think, &task->job);
	sem_wait(&task->over);
	assert_true(task->stopped);
	/* The thread goes on with others. */
	submit(&scene, task_of(&scene, 1, THINK_PERSON, 'b', 1));
	sem_wait(&scene.tasks[1].over);
	assert_false(scene.tasks[1].stopped);
	close_scene(&scene);
}

static void
everything_ends(void **state)
{
	(void)state;
	enum fault fault = FAULT_NONE;
	open_scene(&scene, 3);
	for (unsigned i = 0; i < 12; i++) {
		struct task *task = task_of(&scene, i, (enum think_class)(i % THINK_CLASSES), 'a', 1);
		task->job.step = think_until_told;
		submit(&scene, task);
	}
	sem_wait(&scene.tasks[0].entered);
	think_end(scene.think);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(sem_trywait(&scene.tasks[i].over), 0);
		assert_true(scene.tasks[i].stopped);
	}
	struct task *late = task_of(&scene, 12, THINK_PERSON, 'z', 1);
	assert_false(think_submit(scene.think, &late->job, &fault));
	assert_int_equal(fault, FAULT_STOPPING);
	think_close(scene.think);
}

static void
without_threads_there_is_no_engine(void **state)
{
	(void)state;
	enum fault fault = FAULT_NONE;
	open_scene(&scene, 0);
	struct task *task = task_of(&scene, 0, THINK_QUESTION, 'a', 1);
	assert_false(think_submit(scene.think, &task->job, &fault));
	assert_int_equal(fault, FAULT_NO_ENGINE);
	close_scene(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(classes_take_turns),
	    cmocka_unit_test(a_quick_question_comes_before_the_next_dear_one),
	    cmocka_unit_test(quick_and_dear_questions_have_one_cap),
	    cmocka_unit_test(a_long_job_lets_others_in),
	    cmocka_unit_test(each_class_has_a_cap),
	    cmocka_unit_test(a_job_that_runs_is_cancelled),
	    cmocka_unit_test(everything_ends),
	    cmocka_unit_test(without_threads_there_is_no_engine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
