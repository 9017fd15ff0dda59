(define (domain blocksworld)
  (:requirements :strips :typing)
  (:types block)
  (:predicates (on ?x - block ?y - block) (on_table ?x - block) (clear ?x - block) (arm_empty) (holding ?x - block))
  (:action pick_up
    :parameters (?x - block)
    :precondition (and (clear ?x) (on_table ?x) (arm_empty))
    :effect (and (holding ?x) (not (clear ?x)) (not (on_table ?x)) (not (arm_empty))))
  (:action put_down
    :parameters (?x - block)
    :precondition (and (holding ?x))
    :effect (and (on_table ?x) (clear ?x) (arm_empty) (not (holding ?x))))
  (:action stack
    :parameters (?x - block ?y - block)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (on ?x ?y) (clear ?x) (arm_empty) (not (holding ?x)) (not (clear ?y))))
  (:action unstack
    :parameters (?x - block ?y - block)
    :precondition (and (on ?x ?y) (clear ?x) (arm_empty))
    :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (arm_empty)))))
